// SPDX-License-Identifier: Apache-2.0
#include "poolinspector/poolinspector.h"

#include "common/exporter.h"
#include "common/format.h"
#include "common/palette.h"
#include "common/selection.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace poolwright::widgets {

PoolInspector::PoolInspector(Selection* selection, QWidget* parent)
    : Panel(selection, parent)
    , m_stack(new QStackedWidget)
    , m_title(new QLabel)
    , m_empty(new QLabel)
    , m_facts(new QLabel)
    , m_sizeHint(new QLabel) {
    setObjectName("poolInspector");
    m_empty->setText(tr("Select a pool in the address map to see and change its properties."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(20);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(8);
    m_title->setTextFormat(Qt::PlainText);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_title->setFont(bold);
    column->addWidget(m_title);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(5);
    form->setLabelAlignment(Qt::AlignLeft);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    buildForm(form);
    column->addLayout(form);
    m_facts->setWordWrap(true);
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_facts);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(page);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setBackgroundRole(QPalette::Base);
    page->setBackgroundRole(QPalette::Base);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(scroll);
    m_stack->setAutoFillBackground(true);
    m_stack->setBackgroundRole(QPalette::Base);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
}

static QComboBox* choice(const QStringList& words) {
    auto* box = new QComboBox;
    box->addItems(words);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(8);
    return box;
}

static QDoubleSpinBox* number(double most, int decimals, const QString& suffix) {
    auto* box = new QDoubleSpinBox;
    box->setLocale(QLocale::c());
    box->setRange(0, most);
    box->setDecimals(decimals);
    box->setSuffix(suffix);
    box->setKeyboardTracking(false);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    return box;
}

void PoolInspector::buildForm(QFormLayout* form) {
    m_name = new QLineEdit;
    m_name->setToolTip(tr("Name of the pool in reports"));
    m_fname = new QLineEdit;
    m_fname->setToolTip(tr("Names the initialiser file of the pool"));
    form->addRow(tr("name"), m_name);
    form->addRow(tr("fname"), m_fname);
    connect(m_name, &QLineEdit::editingFinished, this, [this] { commit(tr("name")); });
    connect(m_fname, &QLineEdit::editingFinished, this, [this] { commit(tr("file name")); });
    buildPlace(form);
    buildTraits(form);
    buildPower(form);
}

void PoolInspector::buildPlace(QFormLayout* form) {
    m_offset = new QLineEdit;
    m_offset->setToolTip(tr("First address: hexadecimal with 0x, or decimal"));
    m_size = new QLineEdit;
    m_size->setToolTip(tr("Bytes, or a number with KiB or MiB; 0 switches the pool off"));
    m_sizeHint->setForegroundRole(QPalette::PlaceholderText);
    m_sizeHint->setWordWrap(true);
    m_mode = choice({"USEMODE_ABSOLUTE", "USEMODE_RELATIVE"});
    m_mode->setToolTip(tr("Relative: the address is an offset that the application completes at run time"));
    m_format = choice({"FORMAT_RAW", "FORMAT_HEX", "FORMAT_HEX16", "FORMAT_HEX32", "FORMAT_IHEX", "FORMAT_C"});
    m_format->setToolTip(tr("Form of the initialiser file"));
    form->addRow(tr("offset"), m_offset);
    form->addRow(tr("size"), m_size);
    form->addRow(QString(), m_sizeHint);
    form->addRow(tr("mode"), m_mode);
    form->addRow(tr("fformat"), m_format);
    connect(m_offset, &QLineEdit::editingFinished, this, [this] { commitBytes(m_offset, tr("offset")); });
    connect(m_size, &QLineEdit::editingFinished, this, [this] { commitBytes(m_size, tr("size")); });
    connect(m_mode, &QComboBox::activated, this, [this] { commit(tr("mode")); });
    connect(m_format, &QComboBox::activated, this, [this] { commit(tr("file format")); });
}

void PoolInspector::buildTraits(QFormLayout* form) {
    m_rights = choice({"ACC_READ", "ACC_WRITE"});
    m_rights->setToolTip(tr("ACC_WRITE: may be read and written"));
    m_throughput = choice({"LOW", "MID", "HIGH"});
    m_latency = choice({"LOW", "MID", "HIGH"});
    m_byteWidth = new QSpinBox;
    m_byteWidth->setRange(1, 64);
    m_byteWidth->setSuffix(tr(" bytes"));
    m_byteWidth->setKeyboardTracking(false);
    m_byteWidth->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_byteWidth->setToolTip(tr("Bytes of one access on the bus"));
    m_freqRatio = number(1000, 3, {});
    m_freqRatio->setToolTip(tr("NPU clock divided by the clock of the memory"));
    m_cacheable = new QCheckBox(tr("cacheable"));
    m_cacheable->setToolTip(tr("Accesses go through the NPU cache"));
    m_constantsPreferred = new QCheckBox(tr("constants_preferred"));
    m_constantsPreferred->setToolTip(tr("Weights are placed here first"));
    form->addRow(tr("rights"), m_rights);
    form->addRow(tr("throughput"), m_throughput);
    form->addRow(tr("latency"), m_latency);
    form->addRow(tr("byteWidth"), m_byteWidth);
    form->addRow(tr("freqRatio"), m_freqRatio);
    form->addRow(QString(), m_cacheable);
    form->addRow(QString(), m_constantsPreferred);
    connect(m_rights, &QComboBox::activated, this, [this] { commit(tr("rights")); });
    connect(m_throughput, &QComboBox::activated, this, [this] { commit(tr("throughput")); });
    connect(m_latency, &QComboBox::activated, this, [this] { commit(tr("latency")); });
    connect(m_byteWidth, &QSpinBox::valueChanged, this, [this] { commit(tr("byte width")); });
    connect(m_freqRatio, &QDoubleSpinBox::valueChanged, this, [this] { commit(tr("frequency ratio")); });
    connect(m_cacheable, &QCheckBox::clicked, this, [this] { commit(tr("cacheable")); });
    connect(m_constantsPreferred, &QCheckBox::clicked, this, [this] { commit(tr("constants preferred")); });
}

void PoolInspector::buildPower(QFormLayout* form) {
    m_readPower = number(100000, 3, tr(" mW"));
    m_writePower = number(100000, 3, tr(" mW"));
    m_readPower->setToolTip(tr("Only for the power estimate"));
    m_writePower->setToolTip(tr("Only for the power estimate"));
    form->addRow(tr("read power"), m_readPower);
    form->addRow(tr("write power"), m_writePower);
    connect(m_readPower, &QDoubleSpinBox::valueChanged, this, [this] { commit(tr("read power")); });
    connect(m_writePower, &QDoubleSpinBox::valueChanged, this, [this] { commit(tr("write power")); });
}

void PoolInspector::setPools(const std::vector<mpool::Pool>& pools) {
    m_pools = pools;
    refresh();
}

void PoolInspector::refresh() {
    m_pool = {};
    for (std::size_t i = 0; i < m_pools.size(); ++i)
        if (text(m_pools[i].name) == selection()->pool())
            m_pool = PoolId(i);
    const bool known = m_pool.isValid() || (report() && !selection()->pool().isEmpty());
    m_stack->setCurrentIndex(known ? 1 : 0);
    if (!known)
        return;
    m_title->setText(tr("Pool %1").arg(selection()->pool()));
    for (QWidget* field : std::initializer_list<QWidget*>{m_name, m_fname, m_offset, m_size, m_rights, m_throughput,
                                                          m_latency, m_mode, m_format, m_byteWidth, m_freqRatio,
                                                          m_readPower, m_writePower, m_cacheable, m_constantsPreferred})
        field->setEnabled(m_pool.isValid());
    if (m_pool.isValid())
        showPool(m_pools[std::size_t(m_pool.index)]);
    else
        showPool({});
    showFacts();
}

static void setInvalid(QLineEdit* field, bool invalid) {
    field->setProperty("invalid", invalid);
    field->style()->unpolish(field);
    field->style()->polish(field);
}

void PoolInspector::showPool(const mpool::Pool& pool) {
    m_filling = true;
    const auto& traits = pool.properties;
    m_name->setText(text(pool.name));
    m_fname->setText(text(pool.fname));
    m_offset->setText(text(pool.range().start));
    m_size->setText(text(ByteCount(pool.size.bytes)));
    m_sizeHint->setText(pool.isEnabled()
                            ? tr("%1, last byte %2")
                                  .arg(shortBytes(ByteCount(pool.size.bytes)), text(pool.range().end() - ByteCount(1)))
                            : tr("switched off"));
    setInvalid(m_offset, false);
    setInvalid(m_size, false);
    m_mode->setCurrentIndex(int(pool.mode));
    m_format->setCurrentIndex(int(pool.format));
    m_rights->setCurrentIndex(int(traits.rights));
    m_throughput->setCurrentIndex(int(traits.throughput));
    m_latency->setCurrentIndex(int(traits.latency));
    m_byteWidth->setValue(traits.byteWidth);
    m_freqRatio->setValue(traits.freqRatio);
    m_readPower->setValue(traits.readPower);
    m_writePower->setValue(traits.writePower);
    m_cacheable->setChecked(traits.cacheable);
    m_constantsPreferred->setChecked(traits.constantsPreferred);
    m_filling = false;
}

QString PoolInspector::usageText(const report::Pool& pool) const {
    const double share = pool.size.value > 0 ? 100.0 * double(pool.used.value) / double(pool.size.value) : 0;
    return tr("%1 of %2 used (%3 %)").arg(text(pool.used), text(pool.size), QString::number(share, 'f', 1)) + "<br>" +
           tr("weights %1 · activations %2").arg(text(pool.weights), text(pool.activations));
}

QString PoolInspector::groupText(int reportPool) const {
    for (const auto& pool : report()->pools) {
        if (!pool.isVirtual || std::find(pool.members.begin(), pool.members.end(), reportPool) == pool.members.end())
            continue;
        QStringList members;
        for (const int member : pool.members)
            members << text(report()->pools[std::size_t(member)].name).toHtmlEscaped();
        return tr("<b>Virtual group</b><br>%1<br>%2<br>%3 / %4 · freqRatio %5")
            .arg(members.join(", "), longBytes(pool.size), text(pool.throughput), text(pool.latency))
            .arg(pool.freqRatio);
    }
    return {};
}

void PoolInspector::showFacts() {
    QStringList parts;
    for (int i = 0; report() && i < int(report()->pools.size()); ++i) {
        const auto& pool = report()->pools[std::size_t(i)];
        if (text(pool.name) != selection()->pool())
            continue;
        parts << tr("<b>Use</b><br>%1").arg(usageText(pool));
        if (const QString group = groupText(i); !group.isEmpty())
            parts << group;
        if (pool.reservedTail.value > 0)
            parts << tr("%1 at the end stay free.").arg(longBytes(pool.reservedTail));
    }
    m_facts->setText("<p>" + parts.join("</p><p>") + "</p>");
}

mpool::Pool PoolInspector::wanted() const {
    mpool::Pool pool = m_pools[std::size_t(m_pool.index)];
    pool.name = m_name->text().trimmed().toStdString();
    pool.fname = m_fname->text().trimmed().toStdString();
    pool.mode = mpool::UseMode(m_mode->currentIndex());
    pool.format = mpool::FileFormat(m_format->currentIndex());
    auto& traits = pool.properties;
    traits.rights = mpool::Rights(m_rights->currentIndex());
    traits.throughput = mpool::Level(m_throughput->currentIndex());
    traits.latency = mpool::Level(m_latency->currentIndex());
    traits.byteWidth = m_byteWidth->value();
    // Fields show three decimals: a value that the user did not touch must not be rounded by them.
    const auto keep = [](double now, double shown) { return std::abs(now - shown) < 0.0006 ? now : shown; };
    traits.freqRatio = keep(traits.freqRatio, m_freqRatio->value());
    traits.readPower = keep(traits.readPower, m_readPower->value());
    traits.writePower = keep(traits.writePower, m_writePower->value());
    traits.cacheable = m_cacheable->isChecked();
    traits.constantsPreferred = m_constantsPreferred->isChecked();
    return pool;
}

void PoolInspector::commit(const QString& what) {
    if (m_filling || !m_pool.isValid())
        return;
    const mpool::Pool pool = wanted();
    if (!(pool == m_pools[std::size_t(m_pool.index)]))
        emit poolEdited(m_pool, pool, what);
}

void PoolInspector::commitBytes(QLineEdit* field, const QString& what) {
    if (m_filling || !m_pool.isValid())
        return;
    QString entry = field->text();
    const auto bytes = parseBytes(entry.section('(', 0, 0));
    setInvalid(field, !bytes);
    if (!bytes)
        return;
    mpool::Pool pool = wanted();
    (field == m_offset ? pool.offset : pool.size).bytes = *bytes;
    if (!(pool == m_pools[std::size_t(m_pool.index)]))
        emit poolEdited(m_pool, pool, what);
}

QString PoolInspector::exportTo(const QString& path) const {
    QString csv = QStringLiteral("name,fname,address,size_bytes,rights,throughput,latency,byte_width,freq_ratio\n");
    const char* levels[] = {"LOW", "MID", "HIGH"};
    for (const auto& pool : m_pools) {
        const auto& traits = pool.properties;
        csv += QStringList{text(pool.name),
                           text(pool.fname),
                           text(pool.range().start),
                           QString::number(pool.size.bytes),
                           traits.rights == mpool::Rights::ReadOnly ? "ACC_READ" : "ACC_WRITE",
                           levels[int(traits.throughput)],
                           levels[int(traits.latency)],
                           QString::number(traits.byteWidth),
                           QString::number(traits.freqRatio)}
                   .join(',') +
               '\n';
    }
    return exportText(path, csv);
}

} // namespace poolwright::widgets

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common/panel.h"
#include "mpool/pool.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;
class QStackedWidget;

namespace poolwright::widgets {

/// All properties of the selected pool. Reports what the user wants; the new values come back with setPools().
class PoolInspector : public Panel {
    Q_OBJECT
public:
    explicit PoolInspector(Selection* selection, QWidget* parent = nullptr);

    void setPools(const std::vector<mpool::Pool>& pools);

    QStringList exportFormats() const override { return {"csv"}; }
    QString exportTo(const QString& path) const override;

signals:
    /// The pool as it should be. `what` names the changed property for the Edit menu.
    void poolEdited(poolwright::PoolId pool, const poolwright::mpool::Pool& wanted, const QString& what);

protected:
    void reportChanged() override { refresh(); }
    void selectionChanged() override { refresh(); }

private:
    void buildForm(QFormLayout* form);
    void buildPlace(QFormLayout* form);
    void buildTraits(QFormLayout* form);
    void buildPower(QFormLayout* form);
    void refresh();
    void showPool(const mpool::Pool& pool);
    void showFacts();
    QString usageText(const report::Pool& pool) const;
    QString groupText(int reportPool) const;
    void commit(const QString& what);
    void commitBytes(QLineEdit* field, const QString& what);
    mpool::Pool wanted() const;

    std::vector<mpool::Pool> m_pools;
    PoolId m_pool;
    bool m_filling = false;
    QStackedWidget* m_stack;
    QLabel *m_title, *m_empty, *m_facts, *m_sizeHint;
    QLineEdit *m_name, *m_fname, *m_offset, *m_size;
    QComboBox *m_rights, *m_throughput, *m_latency, *m_mode, *m_format;
    QSpinBox* m_byteWidth;
    QDoubleSpinBox *m_freqRatio, *m_readPower, *m_writePower;
    QCheckBox *m_cacheable, *m_constantsPreferred;
};

} // namespace poolwright::widgets

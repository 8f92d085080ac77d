// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>

namespace poolwright::widgets {

/// What is chosen, once for the whole window. Buffer and epoch are indices into the report, -1 for none; a pool is
/// known by its name, because the pool file and the report list pools in different orders.
class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    int buffer() const { return m_buffer; }
    int epoch() const { return m_epoch; }
    QString pool() const { return m_pool; }

    void setBuffer(int buffer);
    void setEpoch(int epoch);
    void setPool(const QString& name);
    void clear();

signals:
    void changed();

private:
    int m_buffer = -1, m_epoch = -1;
    QString m_pool;
};

} // namespace poolwright::widgets

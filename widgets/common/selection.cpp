// SPDX-License-Identifier: Apache-2.0
#include "common/selection.h"

namespace poolwright::widgets {

void Selection::setBuffer(int buffer) {
    if (buffer == m_buffer)
        return;
    m_buffer = buffer;
    emit changed();
}

void Selection::setEpoch(int epoch) {
    if (epoch == m_epoch)
        return;
    m_epoch = epoch;
    emit changed();
}

void Selection::setPool(const QString& name) {
    if (name == m_pool)
        return;
    m_pool = name;
    emit changed();
}

void Selection::clear() {
    m_buffer = m_epoch = -1;
    m_pool.clear();
    emit changed();
}

} // namespace poolwright::widgets

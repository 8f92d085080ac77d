// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace poolwright {

/// Shared between the thread that works and the one that may ask it to stop. Copies share one flag.
class CancelFlag {
public:
    void cancel() { m_cancelled->store(true, std::memory_order_relaxed); }
    bool isCancelled() const { return m_cancelled->load(std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
};

/// Called from the working thread with the stage's name and its share done, 0 to 1. May be empty.
using Progress = std::function<void(const std::string& stage, double fraction)>;

} // namespace poolwright

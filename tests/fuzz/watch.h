// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>

namespace poolwright::fuzz {

/// Ends the process, telling which mutant it was, when one takes longer than the limit, or when it dies by itself. The
/// mutant's file is left in `keep` when that is not empty.
class Watch {
public:
    Watch(std::chrono::seconds limit, std::filesystem::path keep);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// From here on the clock runs for this mutant.
    void begin(const std::string& label, const std::string& content);
    /// How long it took.
    std::chrono::milliseconds end();

private:
    void guard();

    const std::chrono::seconds m_limit;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::chrono::steady_clock::time_point m_started;
    bool m_running = false, m_leaving = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace poolwright::fuzz

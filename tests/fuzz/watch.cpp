// SPDX-License-Identifier: Apache-2.0
#include "fuzz/watch.h"

#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/// A mutant must not ask for more memory than a network can need: such a request is a fault, not a failed allocation.
extern "C" const char* __asan_default_options() {
    return "abort_on_error=1:max_allocation_size_mb=4096:allocator_may_return_null=0:detect_stack_use_after_return=0";
}
extern "C" const char* __ubsan_default_options() {
    return "print_stacktrace=1:abort_on_error=1";
}
#endif

namespace poolwright::fuzz {

namespace {

// What a signal handler may look at.
char labelNow[256];
char fileNow[512];
const char* contentNow = nullptr;
std::size_t sizeNow = 0;

void put(const char* text, std::size_t size) {
    [[maybe_unused]] const auto ignored = write(STDERR_FILENO, text, size);
}
void put(const std::string_view text) {
    put(text.data(), text.size());
}

void keepMutant() {
    if (fileNow[0] == 0 || !contentNow)
        return;
    const int file = open(fileNow, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0)
        return;
    [[maybe_unused]] const auto ignored = write(file, contentNow, sizeNow);
    close(file);
}

void onDeath(int signalNumber) {
    put("fuzz: died at mutant ");
    put(labelNow);
    put("\n");
    keepMutant();
    std::signal(signalNumber, SIG_DFL);
    std::raise(signalNumber);
}

void copyTo(char* target, std::size_t room, const std::string& text) {
    target[text.copy(target, room - 1)] = 0;
}

std::string keepFolder;

} // namespace

Watch::Watch(std::chrono::seconds limit, std::filesystem::path keep)
    : m_limit(limit) {
    keepFolder = keep.string();
    for (int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(number, onDeath);
    m_thread = std::thread([this] { guard(); });
}

Watch::~Watch() {
    {
        const std::lock_guard lock(m_mutex);
        m_leaving = true;
    }
    m_wake.notify_all();
    m_thread.join();
    for (int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS})
        std::signal(number, SIG_DFL);
}

void Watch::begin(const std::string& label, const std::string& content) {
    const std::lock_guard lock(m_mutex);
    copyTo(labelNow, sizeof labelNow, label);
    if (!keepFolder.empty())
        copyTo(fileNow, sizeof fileNow, keepFolder + "/" + label.substr(0, label.find(' ')));
    contentNow = content.data();
    sizeNow = content.size();
    m_started = std::chrono::steady_clock::now();
    m_running = true;
}

std::chrono::milliseconds Watch::end() {
    const std::lock_guard lock(m_mutex);
    m_running = false;
    contentNow = nullptr;
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - m_started);
}

void Watch::guard() {
    std::unique_lock lock(m_mutex);
    while (!m_leaving) {
        m_wake.wait_for(lock, std::chrono::milliseconds(200));
        if (m_running && std::chrono::steady_clock::now() - m_started > m_limit) {
            put("fuzz: hangs (time limit)\n");
            std::abort();
        }
    }
}

} // namespace poolwright::fuzz

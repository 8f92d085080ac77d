// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace poolwright::emit {

/// Builds C source line by line. Numbers are printed in the C locale.
class CWriter {
public:
    void line(const std::string& text = {}) { m_text += std::string(std::size_t(m_depth) * 2, ' ') + text + "\n"; }
    void raw(const std::string& text) { m_text += text; }
    /// "/* text */" with comment ends inside the text defused.
    void comment(const std::string& text);
    void open(const std::string& text) {
        line(text);
        ++m_depth;
    }
    void close(const std::string& text) {
        --m_depth;
        line(text);
    }
    /// ".name = value," inside an initialiser.
    void field(const std::string& name, const std::string& value) { line("." + name + " = " + value + ","); }
    void field(const std::string& name, std::int64_t value) { field(name, std::to_string(value)); }

    const std::string& text() const { return m_text; }

private:
    std::string m_text;
    int m_depth = 0;
};

/// A valid C identifier from any name: other characters become '_', a leading digit gets one in front.
std::string identifier(const std::string& name);
/// "0x34200000UL".
std::string hexAddress(std::uint64_t address);
/// A C string literal with quotes.
std::string cString(const std::string& text);
/// Shortest float literal that reads back the same double: "0.0078431f" style is left to the caller; this is "0.00784312374889851".
std::string cDouble(double value);

} // namespace poolwright::emit

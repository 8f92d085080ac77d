// SPDX-License-Identifier: Apache-2.0
#include "text/csv.h"

namespace poolwright::text {

namespace {

class CsvReader {
public:
    CsvReader(std::string_view text, const std::string& path, char separator)
        : m_text(text)
        , m_path(path)
        , m_separator(separator) {}

    Result<std::vector<CsvRow>> read() {
        if (m_text.substr(0, 3) == "\xef\xbb\xbf")
            m_at = 3;
        std::vector<CsvRow> rows;
        while (m_at < m_text.size()) {
            CsvRow row;
            if (!readRow(row))
                return fail(makeError("PW1040", "a quoted field is never closed", {m_path, m_quoteLine, 0, {}},
                                      "close the field with a double quote; a quote inside a field is written twice"));
            rows.push_back(std::move(row));
        }
        return rows;
    }

private:
    bool readRow(CsvRow& row) {
        for (;;) {
            std::string field;
            const bool quoted = m_at < m_text.size() && m_text[m_at] == '"';
            if (quoted ? !readQuoted(field) : !readPlain(field))
                return false;
            row.push_back(std::move(field));
            if (m_at >= m_text.size())
                return true;
            if (m_text[m_at++] == m_separator)
                continue;
            ++m_line;
            return true;
        }
    }

    /// Stops on the separator or the line feed; a carriage return before the line feed is dropped.
    bool readPlain(std::string& field) {
        while (m_at < m_text.size() && m_text[m_at] != m_separator && m_text[m_at] != '\n')
            field += m_text[m_at++];
        if (!field.empty() && field.back() == '\r' && (m_at >= m_text.size() || m_text[m_at] == '\n'))
            field.pop_back();
        return true;
    }

    bool readQuoted(std::string& field) {
        m_quoteLine = m_line;
        for (++m_at; m_at < m_text.size(); ++m_at) {
            if (m_text[m_at] == '"') {
                if (m_at + 1 >= m_text.size() || m_text[m_at + 1] != '"') {
                    ++m_at;
                    std::string rest;
                    readPlain(rest);
                    field += rest;
                    return true;
                }
                ++m_at;
            }
            m_line += m_text[m_at] == '\n';
            field += m_text[m_at];
        }
        return false;
    }

    std::string_view m_text;
    const std::string& m_path;
    char m_separator;
    std::size_t m_at = 0;
    int m_line = 1;
    int m_quoteLine = 1;
};

} // namespace

Result<std::vector<CsvRow>> readCsv(std::string_view text, const std::string& path, char separator) {
    return CsvReader(text, path, separator).read();
}

std::string csvField(std::string_view field, char separator) {
    const std::string special = std::string("\"\r\n") + separator;
    if (field.find_first_of(special) == std::string_view::npos)
        return std::string(field);
    std::string out = "\"";
    for (char c : field)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

std::string csvLine(const CsvRow& fields, char separator) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i > 0)
            line += separator;
        line += csvField(fields[i], separator);
    }
    return line + '\n';
}

} // namespace poolwright::text

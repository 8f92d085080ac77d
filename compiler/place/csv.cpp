// SPDX-License-Identifier: Apache-2.0
#include "place/csv.h"

#include "place/fit.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace poolwright::place {

namespace {

constexpr std::int64_t maxBytes = std::int64_t(1) << 50;
constexpr std::int64_t maxTime = std::numeric_limits<int>::max() - 1;

std::vector<std::string_view> split(std::string_view line) {
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    std::vector<std::string_view> cells;
    for (std::size_t start = 0;;) {
        const std::size_t comma = line.find(',', start);
        cells.push_back(line.substr(start, comma == std::string_view::npos ? comma : comma - start));
        if (comma == std::string_view::npos)
            return cells;
        start = comma + 1;
    }
}

class Reader {
public:
    Reader(const std::string& text, const std::string& path)
        : m_text(text)
        , m_path(path) {}

    Result<std::vector<BufferSpec>> read() {
        std::string_view line;
        if (!next(line) || !readHeader(split(line)))
            return fail(std::move(m_diagnostics));
        std::vector<BufferSpec> buffers;
        std::set<std::string> names;
        while (next(line)) {
            if (line.empty() || line == "\r")
                continue;
            BufferSpec buffer = readBuffer(split(line));
            if (!names.insert(buffer.name).second)
                error("PW3304", "there are two buffers '" + buffer.name + "'", column("id"));
            buffers.push_back(std::move(buffer));
            if (m_diagnostics.size() >= 20)
                break;
        }
        if (hasErrors(m_diagnostics))
            return fail(std::move(m_diagnostics));
        return buffers;
    }

private:
    bool next(std::string_view& line) {
        if (m_position >= m_text.size()) {
            if (m_line == 0)
                error("PW3301", "the file is empty", 0);
            return false;
        }
        const std::size_t end = std::min(m_text.find('\n', m_position), m_text.size());
        line = std::string_view(m_text).substr(m_position, end - m_position);
        m_position = end + 1;
        ++m_line;
        return true;
    }

    bool readHeader(const std::vector<std::string_view>& cells) {
        static const std::set<std::string, std::less<>> known = {"id", "lower", "upper", "size", "alignment", "offset"};
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (!known.contains(cells[i]) || column(cells[i]) >= 0)
                error("PW3302", "column '" + std::string(cells[i]) + "' is unknown or comes twice", int(i),
                      "columns are id, lower, upper, size, alignment, offset");
            m_columns.emplace_back(cells[i]);
        }
        for (const char* needed : {"id", "lower", "upper", "size"})
            if (column(needed) < 0)
                error("PW3302", std::string("column '") + needed + "' is missing", 0);
        return !hasErrors(m_diagnostics);
    }

    BufferSpec readBuffer(const std::vector<std::string_view>& cells) {
        BufferSpec buffer;
        if (cells.size() != m_columns.size()) {
            error("PW3303",
                  std::to_string(cells.size()) + " values where the header has " + std::to_string(m_columns.size()), 0);
            return buffer;
        }
        buffer.name = cells[std::size_t(column("id"))];
        buffer.size = ByteCount(number(cells, "size", 0, maxBytes));
        const std::int64_t lower = number(cells, "lower", 0, maxTime), upper = number(cells, "upper", 0, maxTime);
        if (upper <= lower)
            error("PW3303", "buffer '" + buffer.name + "' ends before it begins", column("upper"));
        buffer.live = {int(lower), int(upper - 1)};
        if (column("alignment") >= 0)
            buffer.alignment = number(cells, "alignment", 1, maxBytes);
        if (column("offset") >= 0 && !cells[std::size_t(column("offset"))].empty())
            buffer.fixed = Address(std::uint64_t(number(cells, "offset", 0, maxBytes)));
        return buffer;
    }

    std::int64_t number(const std::vector<std::string_view>& cells, const char* name, std::int64_t least,
                        std::int64_t most) {
        const std::string_view cell = cells[std::size_t(column(name))];
        std::int64_t value = least;
        const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (code != std::errc() || end != cell.data() + cell.size() || value < least || value > most) {
            error("PW3303",
                  std::string(name) + " '" + std::string(cell.substr(0, 40)) + "' is not a whole number from " +
                      std::to_string(least) + " to " + std::to_string(most),
                  column(name));
            return least;
        }
        return value;
    }

    int column(std::string_view name) const {
        const auto found = std::ranges::find(m_columns, name);
        return found == m_columns.end() ? -1 : int(found - m_columns.begin());
    }

    void error(const char* code, const std::string& message, int cell, const std::string& hint = {}) {
        m_diagnostics.push_back(makeError(code, message, {m_path, std::max(m_line, 1), cell + 1, {}}, hint));
    }

    const std::string& m_text;
    const std::string& m_path;
    std::size_t m_position = 0;
    int m_line = 0;
    std::vector<std::string> m_columns;
    Diagnostics m_diagnostics;
};

} // namespace

Result<std::vector<BufferSpec>> readCsv(const std::string& text, const std::string& path) {
    return Reader(text, path).read();
}

std::string writeCsv(const std::vector<BufferSpec>& buffers, const std::vector<std::int64_t>& offsets) {
    std::string text = "id,lower,upper,size,offset\n";
    for (std::size_t i = 0; i < std::min(buffers.size(), offsets.size()); ++i) {
        const BufferSpec& buffer = buffers[i];
        text += buffer.name + "," + std::to_string(buffer.live.first) + "," +
                std::to_string(std::int64_t(buffer.live.last) + 1) + "," + std::to_string(buffer.size.value) + "," +
                std::to_string(offsets[i]) + "\n";
    }
    return text;
}

std::string whyNot(const std::vector<BufferSpec>& buffers, std::int64_t capacity, const SinglePoolResult& result) {
    if (result.load > capacity)
        return "at " + std::to_string(result.loadEpoch) + " " + toText(ByteCount(result.load)) +
               " are alive, but the capacity is " + toText(ByteCount(capacity)) + ": " +
               toText(ByteCount(result.load - capacity)) +
               " are missing; alive then: " + namesOf(buffers, aliveAt(buffers, result.loadEpoch), 6);
    if (result.proven)
        return "no arrangement exists, although the largest load, " + toText(ByteCount(result.load)) + " at " +
               std::to_string(result.loadEpoch) + ", is within the capacity of " + toText(ByteCount(capacity)) +
               ": the search was complete";
    return "no arrangement was found within the budget; the best one needs " + toText(ByteCount(result.height)) + ", " +
           toText(ByteCount(result.height - capacity)) + " more than the capacity of " + toText(ByteCount(capacity)) +
           "; the largest load is " + toText(ByteCount(result.load)) + " at " + std::to_string(result.loadEpoch);
}

} // namespace poolwright::place

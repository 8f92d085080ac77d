// SPDX-License-Identifier: Apache-2.0
#include "emit/generate_report.h"

#include <algorithm>
#include <array>
#include <map>

namespace poolwright::emit {

using namespace report;

namespace {

using Cells = std::array<std::string, 6>;

std::string grouped(std::int64_t number) {
    const std::string withUnit = toText(ByteCount(number));
    return withUnit.substr(0, withUnit.size() - 2);
}

/// At most 30 characters: the first 18, "..", the last 10.
std::string shortened(const std::string& name) {
    return name.size() <= 30 ? name : name.substr(0, 18) + ".." + name.substr(name.size() - 10);
}

/// "[b:1,h:128,w:128,c:32]" from N, C, H, W.
std::string shapeText(const std::vector<std::int64_t>& shape) {
    static const std::vector<std::vector<const char*>> letters{
        {}, {"b"}, {"b", "c"}, {"b", "c", "h"}, {"b", "c", "h", "w"}};
    static const std::vector<std::vector<std::size_t>> orders{{}, {0}, {0, 1}, {0, 2, 1}, {0, 2, 3, 1}};
    std::string text;
    const bool known = shape.size() < letters.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const std::size_t axis = known ? orders[shape.size()][i] : i;
        text += (text.empty() ? "" : ",") + (known ? letters[shape.size()][axis] + std::string(":") : "") +
                std::to_string(shape[axis]);
    }
    return "[" + text + "]";
}

std::int64_t elements(const Buffer& buffer) {
    std::int64_t count = buffer.shape.empty() ? 0 : 1;
    for (std::int64_t extent : buffer.shape)
        count = extent > 0 && count < (std::int64_t(1) << 40) / extent ? count * extent : 0;
    return count;
}

std::string layerName(const Operator& op) {
    const std::string& name = op.originalNames.empty() ? op.name : op.originalNames.front();
    return shortened(name) + " (" + op.kind + ")";
}

class Table {
public:
    explicit Table(const Report& report)
        : m_report(report) {}

    std::string text() {
        m_rows.push_back({"m_id", "layer (original)", "oshape", "param/size", "macc", "connected to"});
        addInputs();
        for (const Epoch& epoch : m_report.epochs)
            if (epoch.runs())
                addEpoch(epoch);
        return print();
    }

private:
    void addInputs() {
        for (std::size_t i = 0; i < m_report.buffers.size(); ++i) {
            const Buffer& buffer = m_report.buffers[i];
            if (buffer.kind != "input")
                continue;
            m_rows.push_back({"0", shortened(buffer.name) + " ()", shapeText(buffer.shape), "", "", ""});
            m_producer[int(i)] = shortened(buffer.name);
        }
    }

    /// Operators of one epoch are a chain: the first reads what others wrote, the last writes the epoch's output.
    void addEpoch(const Epoch& epoch) {
        for (std::size_t i = 0; i < epoch.operators.size(); ++i) {
            const Operator& op = epoch.operators[i];
            const bool first = i == 0, last = i + 1 == epoch.operators.size();
            const std::string from = first ? sources(epoch) : shortened(epoch.operators[i - 1].name);
            m_rows.push_back({std::to_string(++m_id), layerName(op), last ? outputShape(epoch) : "[]",
                              first ? parameters(epoch) : "", op.macs > 0 ? grouped(op.macs) : "", from});
            m_macs += op.macs;
        }
        for (int buffer : epoch.writes)
            m_producer[buffer] = epoch.operators.empty() ? epoch.name : shortened(epoch.operators.back().name);
    }

    std::string sources(const Epoch& epoch) const {
        for (int buffer : epoch.reads)
            if (const auto it = m_producer.find(buffer); it != m_producer.end())
                return it->second;
        return {};
    }

    std::string outputShape(const Epoch& epoch) const {
        return epoch.writes.empty() ? "[]" : shapeText(m_report.buffers[std::size_t(epoch.writes.front())].shape);
    }

    std::string parameters(const Epoch& epoch) const {
        std::int64_t count = 0, bytes = 0;
        std::vector<int> reads = epoch.reads;
        std::sort(reads.begin(), reads.end());
        reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
        for (int index : reads) {
            const Buffer& buffer = m_report.buffers[std::size_t(index)];
            if (!buffer.isWeights())
                continue;
            count += elements(buffer);
            bytes += buffer.size.value;
        }
        // Streams laid out for the units have no shape of their own: their bytes stand for both.
        return bytes == 0 ? std::string() : grouped(count > 0 ? count : bytes) + "/" + grouped(bytes);
    }

    std::int64_t ioBytes() const {
        std::int64_t bytes = 0;
        for (const Buffer& buffer : m_report.buffers)
            if (buffer.kind == "input" || buffer.kind == "output")
                bytes += buffer.size.value;
        return bytes;
    }

    std::string print() const {
        std::array<std::size_t, 6> widths{};
        for (const Cells& row : m_rows)
            for (std::size_t i = 0; i < row.size(); ++i)
                widths[i] = std::max(widths[i], row[i].size() + 2);
        std::string rule;
        for (std::size_t width : widths)
            rule += std::string(width, '-') + " ";
        rule += "\n";
        std::string text = "Model name - " + m_report.provenance.network + "\n" + rule;
        for (const Cells& row : m_rows) {
            for (std::size_t i = 0; i < row.size(); ++i) {
                const std::string fill(widths[i] - row[i].size(), ' ');
                text += (i < 4 ? row[i] + fill : fill + row[i]) + " ";
            }
            text += "\n" + rule;
        }
        return text + "model: macc=" + grouped(m_macs) + " weights=" + grouped(m_report.totals.weights.value) +
               " activations=" + grouped(m_report.totals.activations.value) + " io=" + grouped(ioBytes()) + "\n";
    }

    const Report& m_report;
    std::vector<Cells> m_rows;
    std::map<int, std::string> m_producer;
    std::int64_t m_macs = 0;
    int m_id = 0;
};

} // namespace

std::string layerTable(const Report& report) {
    return Table(report).text();
}

} // namespace poolwright::emit

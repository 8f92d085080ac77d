// SPDX-License-Identifier: Apache-2.0
#include "artefacts/dot_graph.h"

#include "artefacts/lines.h"

#include <graphviz/cgraph.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

namespace poolwright::artefacts {

namespace {

std::string& lastMessage() {
    static std::string message;
    return message;
}

int keepMessage(char* message) {
    if (lastMessage().size() < 500)
        lastMessage() += message;
    return 0;
}

struct Closer {
    void operator()(Agraph_t* graph) const { agclose(graph); }
};

/// Labels end lines with "\l" or "\n"; real line ends occur too.
std::vector<std::string> labelLines(const char* label) {
    std::string text = label ? label : "";
    for (const char* mark : {"\\l", "\\n", "\\r"})
        for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
            text.replace(at, 2, "\n");
    std::vector<std::string> lines;
    for (const std::string& line : split(text, '\n'))
        lines.emplace_back(trimmed(line));
    return lines;
}

char labelName[] = "label";

class Reader {
public:
    DotGraph read(Agraph_t* root) {
        readClusters(root);
        for (Agnode_t* node = agfstnode(root); node; node = agnxtnode(root, node))
            addNode(node);
        for (Agnode_t* node = agfstnode(root); node; node = agnxtnode(root, node))
            for (Agedge_t* edge = agfstout(root, node); edge; edge = agnxtout(root, edge))
                m_graph.edges.push_back(
                    {m_indices[agtail(edge)], m_indices[aghead(edge)], labelLines(agget(edge, labelName))});
        return std::move(m_graph);
    }

private:
    void readClusters(Agraph_t* root) {
        for (Agraph_t* cluster = agfstsubg(root); cluster; cluster = agnxtsubg(cluster)) {
            const std::string name = agnameof(cluster) ? agnameof(cluster) : "";
            const auto epoch = name.starts_with("cluster_") ? parseInteger(name.substr(8)) : std::nullopt;
            if (!epoch || *epoch > 100'000)
                continue;
            for (Agnode_t* node = agfstnode(cluster); node; node = agnxtnode(cluster, node))
                m_epochs.emplace(agnameof(node), int(*epoch));
        }
    }

    void addNode(Agnode_t* node) {
        m_indices[node] = int(m_graph.nodes.size());
        const std::string name = agnameof(node);
        const auto epoch = m_epochs.find(name);
        m_graph.nodes.push_back(
            {name, labelLines(agget(node, labelName)), epoch == m_epochs.end() ? -1 : epoch->second});
    }

    std::map<std::string, int> m_epochs;
    std::map<Agnode_t*, int> m_indices;
    DotGraph m_graph;
};

} // namespace

Result<DotGraph> parseDot(const std::string& text, const std::string& path) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    lastMessage().clear();
    agseterr(AGMAX);
    agseterrf(keepMessage);
    const std::unique_ptr<Agraph_t, Closer> graph(agmemread(text.c_str()));
    if (!graph)
        return fail(makeError("PW5015",
                              "the graph cannot be read: " + std::string(trimmed(split(lastMessage(), '\n').front())),
                              {path, 0, 0, {}}));
    return Reader().read(graph.get());
}

} // namespace poolwright::artefacts

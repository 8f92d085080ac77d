// SPDX-License-Identifier: Apache-2.0
#include "report/diff.h"

#include "report/wording.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace poolwright::report {

using Json = nlohmann::ordered_json;

namespace {

std::string orNone(const std::string& pool) {
    return pool.empty() ? "(no place)" : pool;
}

std::string movesText(const Difference& difference) {
    const auto isMove = [](const Moved& m) { return m.changedPool(); };
    const auto moves = std::count_if(difference.moved.begin(), difference.moved.end(), isMove);
    const auto shifts = std::int64_t(difference.moved.size()) - moves;
    std::string text = counted(moves, "placement change") + "\n";
    for (const Moved& moved : difference.moved)
        if (moved.changedPool())
            text += "  " + moved.buffer + ": " + orNone(moved.fromPool) + " -> " + orNone(moved.toPool) + " (" +
                    toText(moved.size) + ", " + moved.kind + ", " + epochsText(moved.live) + ")\n";
    if (shifts > 0)
        text += counted(shifts, "buffer") + " at another address of the same pool\n";
    for (const Moved& moved : difference.moved)
        if (!moved.changedPool())
            text += "  " + moved.buffer + ": " + toText(moved.from) + " -> " + toText(moved.to) + "\n";
    return text;
}

std::string buffersText(const Difference& difference) {
    std::string text;
    for (const Resized& resized : difference.resized)
        text += "  " + resized.buffer + ": " + toText(resized.from) + " -> " + toText(resized.to) + "\n";
    if (!text.empty())
        text = counted(std::int64_t(difference.resized.size()), "buffer") + " of another size\n" + text;
    if (!difference.addedBuffers.empty())
        text += "only in B: " + listed(difference.addedBuffers, 20) + "\n";
    if (!difference.removedBuffers.empty())
        text += "only in A: " + listed(difference.removedBuffers, 20) + "\n";
    return text;
}

std::string epochText(const EpochChange& change) {
    if (change.from < 0)
        return "only in B (" + change.toKind + ", " + grouped(change.toCycles) + " cycles)";
    if (change.to < 0)
        return "only in A (" + change.fromKind + ", " + grouped(change.fromCycles) + " cycles)";
    std::string text;
    if (change.fromKind != change.toKind)
        text = change.fromKind + " -> " + change.toKind + ", ";
    return text + grouped(change.fromCycles) + " -> " + grouped(change.toCycles) + " cycles";
}

std::string epochsText(const Difference& difference) {
    if (difference.epochs.empty())
        return {};
    std::string text = counted(std::int64_t(difference.epochs.size()), "changed epoch") + "\n";
    for (const EpochChange& change : difference.epochs)
        text += "  " + change.name + ": " + epochText(change) + "\n";
    return text;
}

std::string totalsText(const Difference& difference) {
    std::string text =
        "estimated cycles: " + grouped(difference.fromCycles) + " -> " + grouped(difference.toCycles) + "\n";
    for (const TotalChange& change : difference.totals) {
        const int decimals = change.name.ends_with("_ms") ? 3 : 0;
        text += "  " + change.name + ": " + fixed(change.from, decimals) + " -> " + fixed(change.to, decimals) + "\n";
    }
    for (const std::string& option : difference.addedOptions)
        text += "option only in B: " + option + "\n";
    for (const std::string& option : difference.removedOptions)
        text += "option only in A: " + option + "\n";
    if (!difference.note.empty())
        text += "note: " + difference.note + "\n";
    return text;
}

Json movedJson(const Moved& moved) {
    return {{"buffer", moved.buffer},
            {"kind", moved.kind},
            {"bytes", moved.size.value},
            {"first_epoch", moved.live.first},
            {"last_epoch", moved.live.last},
            {"from_pool", moved.fromPool.empty() ? Json(nullptr) : Json(moved.fromPool)},
            {"to_pool", moved.toPool.empty() ? Json(nullptr) : Json(moved.toPool)},
            {"from_address", moved.from.value},
            {"to_address", moved.to.value}};
}

Json epochJson(const EpochChange& change) {
    return {{"name", change.name},
            {"from_ordinal", change.from},
            {"to_ordinal", change.to},
            {"from_kind", change.fromKind},
            {"to_kind", change.toKind},
            {"from_vendor_cycles", change.fromCycles},
            {"to_vendor_cycles", change.toCycles}};
}

} // namespace

std::string toText(const Difference& difference) {
    return movesText(difference) + buffersText(difference) + epochsText(difference) + totalsText(difference);
}

std::string toJson(const Difference& difference) {
    Json json = {{"schema_version", 1}, {"placement_changes", Json::array()}, {"shifted", Json::array()}};
    for (const Moved& moved : difference.moved)
        json[moved.changedPool() ? "placement_changes" : "shifted"].push_back(movedJson(moved));
    Json& resized = json["resized"] = Json::array();
    for (const Resized& one : difference.resized)
        resized.push_back({{"buffer", one.buffer}, {"from_bytes", one.from.value}, {"to_bytes", one.to.value}});
    json["added_buffers"] = difference.addedBuffers;
    json["removed_buffers"] = difference.removedBuffers;
    Json& epochs = json["epochs"] = Json::array();
    for (const EpochChange& change : difference.epochs)
        epochs.push_back(epochJson(change));
    json["added_options"] = difference.addedOptions;
    json["removed_options"] = difference.removedOptions;
    Json& totals = json["totals"] = Json::object();
    for (const TotalChange& change : difference.totals)
        totals[change.name] = {{"from", change.from}, {"to", change.to}};
    json["vendor_cycles"] = {{"from", difference.fromCycles}, {"to", difference.toCycles}};
    json["note"] = difference.note;
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace poolwright::report

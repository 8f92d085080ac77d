// SPDX-License-Identifier: Apache-2.0
#include "target/machine.h"

#include <algorithm>
#include <array>

namespace poolwright::target {

namespace {

struct UnitNames {
    const char* print;
    const char* enumName;
};

constexpr std::array<UnitNames, unitKindCount> unitNames = {{{"STREAM_ENG_V2", "STRENG"},
                                                             {"CONV_ACC_V2", "CONVACC"},
                                                             {"DEC_UNIT", "DECUN"},
                                                             {"ACTIV_ACC_V2", "ACTIV"},
                                                             {"ARITH_ACC_V2", "ARITH"},
                                                             {"POOL_ACC_V2", "POOL"},
                                                             {"RECBUF", "RECBUF"},
                                                             {"PROCESSOR", "PROCESSOR"}}};

} // namespace

const char* unitPrintName(UnitKind kind) {
    return unitNames[std::size_t(kind)].print;
}

const char* unitEnumName(UnitKind kind) {
    return unitNames[std::size_t(kind)].enumName;
}

int Machine::count(UnitKind kind) const {
    int total = 0;
    for (const UnitGroup& group : groups)
        total += group.kind == kind ? group.count : 0;
    return total;
}

double Machine::power(UnitKind kind) const {
    const auto found = std::ranges::find(groups, kind, &UnitGroup::kind);
    return found == groups.end() ? 0 : found->powerMilliwatts;
}

int Machine::memoryPort(int streamEngine) const {
    for (const UnitGroup& group : groups)
        if (group.kind == UnitKind::StreamEngine && group.firstIndex <= streamEngine &&
            streamEngine < group.firstIndex + group.count)
            return group.memoryPort;
    return -1;
}

int Machine::printIndex(UnitKind kind, int index) const {
    int running = 0;
    for (const UnitGroup& group : groups) {
        if (group.kind == kind && group.firstIndex <= index && index < group.firstIndex + group.count)
            return running + index - group.firstIndex;
        running += group.printCount();
    }
    return running;
}

int Machine::nullUnitPrintIndex() const {
    int running = 0;
    for (const UnitGroup& group : groups)
        running += group.printCount();
    return running;
}

const Board& Target::board(const std::string& name) const {
    const auto found = std::ranges::find(boards, name, &Board::name);
    return found == boards.end() ? boards.front() : *found;
}

} // namespace poolwright::target

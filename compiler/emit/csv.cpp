// SPDX-License-Identifier: Apache-2.0
#include "emit/csv.h"

#include "text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace poolwright::emit {

using namespace report;

namespace {

/// Six significant digits, as "%g" in the C locale.
std::string general(double value) {
    std::array<char, 64> text{};
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
    return error == std::errc() && std::isfinite(value) ? std::string(text.data(), end) : "0";
}

double ratio(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
}

/// What moves in one pool, in one epoch or in all.
struct Moved {
    std::int64_t read = 0, write = 0, readCycles = 0, writeCycles = 0;

    void add(const Moved& other) {
        read += other.read;
        write += other.write;
        readCycles += other.readCycles;
        writeCycles += other.writeCycles;
    }
    std::array<std::int64_t, 6> columns() const {
        return {read, write, read + write, readCycles, writeCycles, readCycles + writeCycles};
    }
};

std::vector<int> columnOrder(const Report& report) {
    std::vector<int> order;
    for (std::size_t i = 0; i < report.pools.size(); ++i)
        if (!report.pools[i].isVirtual && !report.pools[i].userAllocated)
            order.push_back(int(i));
    std::stable_sort(order.begin(), order.end(), [&report](int a, int b) {
        const Pool &x = report.pools[std::size_t(a)], &y = report.pools[std::size_t(b)];
        if (x.external != y.external)
            return x.external;
        return x.external ? x.address < y.address : y.address < x.address;
    });
    return order;
}

Moved movedIn(const Epoch& epoch, int pool) {
    Moved moved;
    for (const PoolTraffic& traffic : epoch.traffic)
        if (traffic.pool == pool)
            moved.add({traffic.readBytes, traffic.writeBytes, std::llround(traffic.readCycles),
                       std::llround(traffic.writeCycles)});
    return moved;
}

/// Sums over all epochs, and what follows from them.
struct Sums {
    std::int64_t operations = 0, compute = 0, cycles = 0;
    double atonEnergy = 0, memoryEnergy = 0;
    double hertz = 1e9;

    explicit Sums(const Report& report)
        : hertz(report.nominalMegahertz * 1e6) {
        for (const Epoch& epoch : report.epochs) {
            operations += epoch.operations;
            compute += epoch.computeCycles;
            cycles += epoch.vendorCycles;
            atonEnergy += epoch.atonEnergy;
            memoryEnergy += epoch.memoryEnergy;
        }
    }
    double framesPerSecond() const { return ratio(hertz, double(cycles)); }
};

std::string header(const Report& report, const std::vector<int>& pools) {
    std::string text = "epochs";
    for (int pool : pools)
        for (const char* column : {" (r)", " (w)", " (r+w)", " (r cycles)", " (w cycles)", " (cycles)"})
            text += "," + report.pools[std::size_t(pool)].name + column;
    text += ",bus port 1 (r),bus port 1 (w),bus port 0 (r),bus port 0 (w)";
    text += ",epoch OPS,epoch OPS vs total %,epoch compute (cyles),epoch compute (cyles) vs Tot %";
    text += ",max (cycles),max (cycles) vs Tot %,epoch average ATON power (mW),epoch average ATON power vs Tot %";
    return text + ",epoch average memory power (mW),epoch average memory power vs Tot %\n";
}

std::string integers(const Moved& moved) {
    std::string text;
    for (std::int64_t value : moved.columns())
        text += "," + std::to_string(value);
    return text;
}

std::string share(std::int64_t part, std::int64_t whole) {
    return "," + std::to_string(part) + "," + general(ratio(double(part), double(whole)));
}

/// Average power = energy / compute, printed as 0 where nothing computes though energy is spent (formula 6).
std::string power(double energy, double total, std::int64_t compute) {
    return "," + general(ratio(energy, double(compute))) + "," + general(ratio(energy, total));
}

std::string row(const Epoch& epoch, const std::vector<int>& pools, const Sums& sums) {
    std::string text = std::to_string(epoch.ordinal) + " ";
    for (int pool : pools)
        text += integers(movedIn(epoch, pool));
    for (int port : {1, 0})
        text += "," + std::to_string(epoch.busRead[port]) + "," + std::to_string(epoch.busWrite[port]);
    text += share(epoch.operations, sums.operations) + share(epoch.computeCycles, sums.compute) +
            share(epoch.vendorCycles, sums.cycles);
    return text + power(epoch.atonEnergy, sums.atonEnergy, epoch.computeCycles) +
           power(epoch.memoryEnergy, sums.memoryEnergy, epoch.computeCycles) + "\n";
}

std::vector<Moved> totalsOf(const Report& report, const std::vector<int>& pools) {
    std::vector<Moved> totals(pools.size());
    for (const Epoch& epoch : report.epochs)
        for (std::size_t i = 0; i < pools.size(); ++i)
            totals[i].add(movedIn(epoch, pools[i]));
    return totals;
}

std::string totalRows(const std::vector<Moved>& totals, double framesPerSecond) {
    std::string total = "Total", bandwidth = "BW";
    for (const Moved& moved : totals) {
        total += integers(moved);
        for (std::int64_t value : moved.columns())
            bandwidth += "," + general(double(value) * framesPerSecond);
    }
    return total + ",\n" + bandwidth + ",\n"; // a comma at the end, as in the vendor's files
}

std::string sizeText(ByteCount bytes) {
    const double value = double(bytes.value);
    if (value >= 1024 * 1024)
        return text::formatFixed(value / 1024 / 1024, 2) + " MB";
    return value >= 1024 ? text::formatFixed(value / 1024, 2) + " KB" : std::to_string(bytes.value) + " B";
}

std::string poolLine(const Pool& pool, const Moved& total, double framesPerSecond) {
    if (pool.used.value == 0)
        return pool.name + " , ?\n";
    return pool.name + " , " + sizeText(pool.used) + " , total bytes r/w BW," +
           general(double(total.read + total.write) * framesPerSecond) + "\n";
}

std::string summary(const Report& report, const Sums& sums) {
    const std::string clock = "(" + general(report.nominalMegahertz) + " MHz)";
    const std::int64_t perCycle = sums.cycles > 0 ? sums.operations / sums.cycles : 0; // truncated, as the vendor's
    const std::int64_t idealPerCycle = sums.compute > 0 ? sums.operations / sums.compute : 0;
    const double aton = ratio(sums.atonEnergy, double(sums.cycles)),
                 memory = ratio(sums.memoryEnergy, double(sums.cycles));
    const double teraPerWatt = ratio(double(perCycle) * sums.hertz / 1e12, (aton + memory) / 1000);
    return "Total cycles," + std::to_string(sums.cycles) + "\nTotal ideal cycles," + std::to_string(sums.compute) +
           "\nTotal OPS," + std::to_string(sums.operations) + "\nTotal ops/cycle," + std::to_string(perCycle) +
           "\nTotal ideal ops/cycle," + std::to_string(idealPerCycle) + "\nFrames/sec" + clock + "," +
           general(sums.framesPerSecond()) + "\nIdeal Frames/sec" + clock + "," +
           general(ratio(sums.hertz, double(sums.compute))) + "\nAverage ATON power mW" + clock + "," + general(aton) +
           "\nAverage memory power mW," + general(memory) + "\nAverage Total power mW," + general(aton + memory) +
           "\nTOPS/W," + general(teraPerWatt) + "\n";
}

} // namespace

std::string csv(const Report& report) {
    const std::vector<int> pools = columnOrder(report);
    const Sums sums(report);
    std::string text = header(report, pools);
    for (const Epoch& epoch : report.epochs)
        text += row(epoch, pools, sums);
    const std::vector<Moved> totals = totalsOf(report, pools);
    text += "\n" + totalRows(totals, sums.framesPerSecond()) + "\n";
    for (std::size_t i = 0; i < pools.size(); ++i)
        text += poolLine(report.pools[std::size_t(pools[i])], totals[i], sums.framesPerSecond());
    return text + "\n" + summary(report, sums);
}

} // namespace poolwright::emit

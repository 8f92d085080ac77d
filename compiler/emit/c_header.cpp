// SPDX-License-Identifier: Apache-2.0
#include "emit/c_network.h"

#include <algorithm>

namespace poolwright::emit {

namespace {

const char* levelName(mpool::Level level) {
    return level == mpool::Level::High ? "HIGH" : level == mpool::Level::Mid ? "MID" : "LOW";
}

/// "448.000 kB" as the vendor prints sizes (facts/file-formats.md section 5).
std::string sizeText(std::int64_t bytes) {
    char text[64];
    if (bytes >= 1024 * 1024)
        std::snprintf(text, sizeof text, "%.3f MB", double(bytes) / (1024.0 * 1024.0));
    else if (bytes >= 1024)
        std::snprintf(text, sizeof text, "%.3f kB", double(bytes) / 1024.0);
    else
        std::snprintf(text, sizeof text, "%lld B", static_cast<long long>(bytes));
    return text;
}

std::string poolLine(const mpool::EffectivePool& pool, std::size_t index) {
    const mpool::Properties& p = pool.properties;
    return "index=" + std::to_string(index) + " file postfix=" + pool.fname + " name=" + pool.name +
           " offset=" + hexAddress(pool.range.start.value) +
           (pool.mode == mpool::UseMode::Absolute ? " absolute_mode" : " relative_mode") +
           " size=" + std::to_string(pool.range.size.value - pool.reservedTail.value) + (pool.isVirtual() ? " vpool" : "") +
           (p.rights == mpool::Rights::ReadWrite ? " READ_WRITE" : " READ_ONLY") + " THROUGHPUT=" + levelName(p.throughput) +
           " LATENCY=" + levelName(p.latency) + " byte width=" + std::to_string(p.byteWidth) + " freq ratio=" + cDouble(p.freqRatio) +
           " burst max length=MAXINT burst penalty=0 pipelined=ON cacheable=" + (p.cacheable ? "ON" : "OFF") +
           " read_power=" + cDouble(p.readPower) + " write_power=" + cDouble(p.writePower) + " use4initializers=" +
           (p.constantsPreferred || p.rights == mpool::Rights::ReadOnly ? "YES" : "NO") + " score=" + std::to_string(pool.score);
}

/// Pools for constants first, then by score, size and index (facts 5.2).
std::vector<std::size_t> listingOrder(const std::vector<mpool::EffectivePool>& pools) {
    std::vector<std::size_t> order(pools.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto forConstants = [&](std::size_t i) {
        return pools[i].properties.constantsPreferred || pools[i].properties.rights == mpool::Rights::ReadOnly;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (forConstants(a) != forConstants(b))
            return forConstants(a);
        if (pools[a].score != pools[b].score)
            return pools[a].score > pools[b].score;
        return pools[a].range.size > pools[b].range.size;
    });
    return order;
}

/// One setter or getter that checks index, size and alignment (facts 4.6).
void emitUserFunctions(CWriter& writer, const Names& names, const std::vector<program::TensorView>& views, const char* direction,
                       const char* lower) {
    const std::string network = names.network();
    writer.open("LL_ATON_User_IO_Result_t LL_ATON_Set_User_" + std::string(direction) + "_Buffer_" + network +
                "(uint32_t num, void *buffer, uint32_t size)");
    writer.line("{");
    for (std::size_t i = 0; i < views.size(); ++i) {
        const program::Buffer& buffer = names.program()[views[i].buffer];
        if (!buffer.userAllocated)
            continue;
        writer.open("  if (num == " + std::to_string(i) + ") {");
        writer.line("if ((((uintptr_t)buffer) % 32) != 0)");
        writer.line("  return LL_ATON_User_IO_WRONG_ALIGN;");
        writer.line("if (size < " + std::to_string(buffer.size.value) + ")");
        writer.line("  return LL_ATON_User_IO_WRONG_SIZE;");
        writer.line("_mem_pool__user_io_" + std::string(lower) + "_" + std::to_string(i) + "_" + network + " = buffer;");
        writer.line("return LL_ATON_User_IO_NOERROR;");
        writer.close("  }");
    }
    writer.line("  LL_ATON_LIB_UNUSED(buffer);");
    writer.line("  LL_ATON_LIB_UNUSED(size);");
    writer.line("  LL_ATON_LIB_UNUSED(num);");
    writer.line("  return LL_ATON_User_IO_WRONG_INDEX;");
    writer.close("}");
    writer.line();
    writer.open("void *LL_ATON_Get_User_" + std::string(direction) + "_Buffer_" + network + "(uint32_t num)");
    writer.line("{");
    for (std::size_t i = 0; i < views.size(); ++i)
        if (names.program()[views[i].buffer].userAllocated)
            writer.line("  if (num == " + std::to_string(i) + ") return _mem_pool__user_io_" + lower + "_" + std::to_string(i) + "_" +
                        network + ";");
    writer.line("  LL_ATON_LIB_UNUSED(num);");
    writer.line("  return NULL;");
    writer.close("}");
    writer.line();
}

void emitUserPointers(CWriter& writer, const Names& names, const std::vector<program::TensorView>& views, const char* lower) {
    for (std::size_t i = 0; i < views.size(); ++i)
        if (names.program()[views[i].buffer].userAllocated)
            writer.line("static void *_mem_pool__user_io_" + std::string(lower) + "_" + std::to_string(i) + "_" + names.network() +
                        " = NULL;");
}

} // namespace

void emitBanner(CWriter& writer, const Names& names) {
    writer.line("/* AUTOGENERATED DO NOT MODIFY");
    writer.line(" *");
    writer.line(" * Made by Poolwright " + names.source().toolVersion + " for the ll_aton runtime " +
                names.source().options.runtimeGeneration + ".");
    writer.line(" *");
    writer.line(" * Command Line options:");
    for (const auto& [name, value] : names.source().options.given)
        writer.line(" * " + name + (value.empty() ? "" : " = " + value));
    writer.line(" */");
    writer.line();
    for (const char* header : {"ll_aton_NN_interface.h", "ll_aton.h", "ll_aton_lib.h", "ll_aton_version.h", "ll_sw.h"})
        writer.line("#include \"" + std::string(header) + "\"");
    writer.line();
    writer.line("#if LL_ATON_VERSION_MAJOR != 1 || LL_ATON_VERSION_MINOR != 1 || LL_ATON_VERSION_MICRO != 1");
    writer.line("#  error \"this file was made for version 1.1.1 of the ll_aton runtime\"");
    writer.line("#endif");
    writer.line();
    writer.line("#if !defined(LL_ATON_DBG_BUFFER_INFO_EXCLUDED)");
    writer.line("#  define LL_ATON_DBG_BUFFER_INFO_EXCLUDED (0)");
    writer.line("#endif");
    writer.line();
}

void emitPools(CWriter& writer, const Names& names) {
    const std::vector<mpool::EffectivePool>& pools = names.program().pools;
    for (std::size_t i : listingOrder(pools)) {
        const std::int64_t used = i < names.source().usedBytes.size() ? names.source().usedBytes[i].value : 0;
        writer.comment("global pool " + std::to_string(i) + " is " + (used > 0 ? sizeText(used) : "?"));
        writer.comment(poolLine(pools[i], i));
    }
    for (const mpool::EffectivePool& pool : pools)
        if (pool.mode == mpool::UseMode::Relative && !pool.isVirtual())
            writer.line("extern const uint64_t _mem_pool_" + identifier(pool.fname) + "_" + names.network() + "[];");
    writer.line();
}

void emitUserIo(CWriter& writer, const Names& names) {
    emitUserPointers(writer, names, names.program().inputs, "input");
    emitUserPointers(writer, names, names.program().outputs, "output");
    writer.line();
    emitUserFunctions(writer, names, names.program().inputs, "Input", "input");
    emitUserFunctions(writer, names, names.program().outputs, "Output", "output");
}

} // namespace poolwright::emit

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/program.h"

#include <cstdint>
#include <string>
#include <vector>

/// The memory that a Program runs on. Every buffer lies at its place; buffers that share addresses (at different times)
/// share bytes. A program without placements gives every buffer memory of its own, so that lowering can be tried before
/// placement.
namespace poolwright::emulate {

/// Whose bytes are touched, for the message of a bad access.
struct Access {
    int epoch = -1;
    const std::string* unit = nullptr;
};

/// "epoch 3, Conv2D_5".
std::string placeText(const Access& access);

class Memory {
public:
    /// Reserves what the placed buffers span (never whole pools) and loads the constants. Fails when a buffer has no
    /// place although others have, or when more than `maxBytes` would be needed.
    static Result<Memory> create(const program::Program& program, std::int64_t maxBytes = std::int64_t(2) << 30);

    /// Bytes [offset, offset + size) of a buffer. Fails outside the buffer, but for `slack` bytes after its end.
    /// Reading bytes that nothing wrote is recorded when tracking is on; bytes in the slack are exempt.
    Result<const std::uint8_t*> read(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access,
                                     std::int64_t slack = 0);
    Result<std::uint8_t*> write(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access);
    /// As read(), without recording.
    Result<const std::uint8_t*> peek(BufferId buffer, std::int64_t offset, std::int64_t size) const;

    /// From now on remembers which bytes were written. The constants count as written.
    void trackWrites();
    /// The buffer's bytes count as not written again, and hold 0xA5 when `poison`.
    void forget(BufferId buffer, bool poison);
    bool isTracking() const { return m_tracking; }
    bool isWritten(BufferId buffer, std::int64_t offset, std::int64_t size) const;

    /// Puts the content of an initialiser file: `bytes` at an absolute address, or at an offset in a relative pool (its
    /// index in Program::pools). Bytes outside of what the program uses are ignored.
    void load(Address address, const std::vector<std::uint8_t>& bytes, PoolId relativePool = {});

    /// One warning for each epoch and buffer in which bytes were read that nothing wrote.
    const Diagnostics& findings() const { return m_findings; }

    ByteCount size() const;

private:
    struct Segment {
        int space = 0; ///< 0 absolute; 1 + pool index for relative pools; below 0 a buffer of its own
        Address start;
        std::vector<std::uint8_t> bytes;
        std::vector<std::uint8_t> written;
    };
    struct Place {
        int segment = -1;
        std::int64_t offset = 0;
    };

    void loadConstants(const program::Program& program);
    bool inside(BufferId buffer, std::int64_t offset, std::int64_t size, std::int64_t slack) const;
    Diagnostic outside(BufferId buffer, std::int64_t offset, std::int64_t size, const Access& access) const;
    void noteUnwritten(BufferId buffer, std::int64_t offset, const Access& access);

    std::vector<Segment> m_segments;
    std::vector<Place> m_places; ///< one for each buffer
    std::vector<std::int64_t> m_sizes;
    std::vector<std::string> m_names;
    bool m_tracking = false;
    Diagnostics m_findings;
    std::vector<std::pair<int, int>> m_noted; ///< epoch and buffer of the findings
};

} // namespace poolwright::emulate

# SPDX-License-Identifier: Apache-2.0
# Install rules; filled by the packaging room.

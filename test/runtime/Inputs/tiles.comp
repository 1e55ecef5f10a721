#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_GOOGLE_include_directive : require
#include "index.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Float { float x; };
// v[i][j] += the average of its 2 x 4 tile (counted by tile_static memory); tiles of 2 x 4, x is the last dimension.
layout(local_size_x = 4, local_size_y = 2) in;
layout(push_constant) uniform Arguments { uint64_t v; int64_t stride; int rows, columns; };
shared float part[2][4];
void main() {
    uint64_t tiles = uint64_t(columns / 4), g = group_number();
    if (g >= tiles * uint64_t(rows / 2))
        return;
    uint64_t i = g / tiles * 2 + gl_LocalInvocationID.y, j = g % tiles * 4 + gl_LocalInvocationID.x;
    Float at = Float(v + i * uint64_t(stride) + 4 * j);
    part[gl_LocalInvocationID.y][gl_LocalInvocationID.x] = at.x;
    barrier();
    float sum = 0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x)
            sum += part[y][x];
    at.x += sum / 8;
}

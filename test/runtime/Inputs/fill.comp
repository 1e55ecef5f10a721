#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_GOOGLE_include_directive : require
#include "index.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Float { float x; };
// v[i][j] = first + 100 * i + j, over a domain of rank 2.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Arguments { uint64_t v; int64_t stride; int rows, columns; float first; };
void main() {
    uint64_t n = group_number() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (n >= uint64_t(rows) * uint64_t(columns))
        return;
    int64_t i = int64_t(n) / columns, j = int64_t(n) % columns;
    Float(v + uint64_t(i * stride + 4 * j)).x = first + float(100 * i + j);
}

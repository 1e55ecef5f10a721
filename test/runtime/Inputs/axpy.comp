#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_GOOGLE_include_directive : require
#include "index.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Float { float x; };
// c[i] = s * a[i] + b[i], over a domain of rank 1.
layout(local_size_x_id = 0) in;
layout(push_constant) uniform Arguments { uint64_t a, b, c; int extent; float s; };
void main() {
    uint64_t i = group_number() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i < uint64_t(extent))
        Float(c + 4 * i).x = s * Float(a + 4 * i).x + Float(b + 4 * i).x;
}

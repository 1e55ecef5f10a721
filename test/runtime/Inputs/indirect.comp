#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_GOOGLE_include_directive : require
#include "index.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Float { float x; };
// v[i] = the sum of 40 captured floats, plus i; the arguments lie in a block behind the pushed address.
layout(local_size_x_id = 0) in;
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Block { uint64_t v; int extent; float captured[40]; };
layout(push_constant) uniform Arguments { Block block; };
void main() {
    uint64_t i = group_number() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= uint64_t(block.extent))
        return;
    float sum = 0;
    for (int k = 0; k < 40; ++k)
        sum += block.captured[k];
    Float(block.v + 4 * i).x = sum + float(i);
}

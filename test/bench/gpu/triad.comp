// triad.comp - a = b + 3 c, one element for each invocation, by address: the hand-written side of the triad.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
layout(local_size_x = 256) in;
layout(buffer_reference, buffer_reference_align = 4, std430) restrict buffer Floats { float at[]; };
layout(push_constant) uniform Arguments { Floats a, b, c; uint n; };
void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < n)
        a.at[i] = b.at[i] + 3.0 * c.at[i];
}

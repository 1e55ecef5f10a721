#version 460
// The kernel written by hand, to the runtime's conventions (compiler/docs/internals.md): flattened groups, the work-group
// size in specialisation constant 0, buffers by address.
#extension GL_EXT_buffer_reference : require

layout(local_size_x_id = 0) in;

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Input { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer Output { float at[]; };

layout(push_constant) uniform Arguments {
    Input a;
    Input b;
    Output c;
    int extent;
};

void main()
{
    uint group = gl_WorkGroupID.x + gl_NumWorkGroups.x * (gl_WorkGroupID.y + gl_NumWorkGroups.y * gl_WorkGroupID.z);
    uint i = group * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i < uint(extent))
        c.at[i] = a.at[i] + b.at[i];
}

// one.comp - stores a number, by address: the least that a launch can do.
#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, buffer_reference_align = 4, std430) buffer Int { int value; };
layout(push_constant) uniform Arguments { Int target; int value; };
void main() { target.value = value; }

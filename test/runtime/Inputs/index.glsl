// The runtime's numbering of work items (notes in runtime/domain.c): groups in a row, whatever the grid.
uint64_t group_number() {
    return uint64_t(gl_WorkGroupID.x) +
           uint64_t(gl_NumWorkGroups.x) * (uint64_t(gl_WorkGroupID.y) + uint64_t(gl_NumWorkGroups.y) * gl_WorkGroupID.z);
}

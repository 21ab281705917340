/** All contracts as a google.protobuf.FileDescriptorSet, for gRPC reflection. */
export const descriptors = new URL('../descriptors.binpb', import.meta.url);

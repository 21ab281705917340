// Marks the methods that may be repeated in what ts-proto has generated: it leaves out the options of methods.
import { readFileSync, writeFileSync } from 'node:fs';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';

for (const file of fromBinary(FileDescriptorSetSchema, readFileSync('descriptors.binpb')).file) {
  const marked = file.service.flatMap(({ name, method }) =>
    method
      .filter(({ options }) => options?.idempotencyLevel)
      .map((one) => `path: "/${file.package}.${name}/${one.name}" as const,`),
  );
  if (marked.length === 0) continue;
  const generated = `src/gen/${file.name.replace(/\.proto$/, '.ts')}`;
  const mark = (text, path) => text.replace(path, `${path} idempotent: true as const,`);
  writeFileSync(generated, marked.reduce(mark, readFileSync(generated, 'utf8')));
}

// Prints docs/develop/test-sizes.md.
import { gateCount, longFiles, sizes } from '../test-sizes.ts';

const number = (value: number) => value.toLocaleString('en');
const counted = Object.values(sizes).map(
  ({ file, what, short, long }) =>
    `| ${file} | ${what} | ${[short, gateCount({ short, long }), long].map(number).join(' | ')} |`,
);
const long = Object.entries(longFiles).map(([file, what]) => `| ${file} | ${what} | - | all | all |`);

process.stdout.write(`# The two sizes of the tests

\`make test\` checks each behaviour; \`make test-long\` runs the files of this table completely. All other files have one
size and run in \`make test\`. The gate \`.ci/run\` runs all files, and repeats what is random a fifth as often as
\`make test-long\` (\`CADASTRE_TEST_SIZE=all\`). \`test-sizes.ts\` has the numbers.

| File | What | \`make test\` | \`.ci/run\` | \`make test-long\` |
|---|---|---|---|---|
${[...counted, ...long].join('\n')}
`);

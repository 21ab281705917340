// Prints docs/reference/urls.md from the description of the REST interface.
import { readFileSync } from 'node:fs';
import { inCode, table } from './sources.mjs';

const methods = ['get', 'post', 'put', 'delete'];

export function urlsPage() {
  const { paths, tags } = JSON.parse(readFileSync('services/gateway/openapi.json', 'utf8'));
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => method !== 'head' && item[method] !== undefined)
      .map((method) => {
        const { summary, tags: own } = item[method];
        const names = method === 'get' && item.head !== undefined ? 'GET, HEAD' : method.toUpperCase();
        return { tag: own[0], row: [inCode(path), names, summary] };
      }),
  );
  const groups = Map.groupBy(rows, ({ tag }) => tag);
  const sections = tags.map(({ name, description }) => {
    const own = (groups.get(name) ?? []).map(({ row }) => row);
    return `## ${name}\n\n${description ?? ''}\n\n${table(['Path', 'Method', 'Does'], own)}`;
  });
  return `# Paths of REST and RDAP

<!-- \`make generate\` writes this page from services/gateway/openapi.json. -->

\`/openapi.json\` of a running registry has all parameters, bodies and responses, and \`/docs\` shows them. Each path also
exists under \`/whois\`, and \`HEAD\` works where \`GET\` does. The extensions \`.xml\`, \`.json\` and \`.txt\` take precedence
over \`Accept\`, but not below \`/rdap\`.

${sections.join('\n\n').replace(/\n{3,}/g, '\n\n')}
`;
}

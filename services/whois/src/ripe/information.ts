import type { LineQuestion } from '@cadastre/query';
import {
  nonAuthoritativeName,
  objectTypeNames,
  ownMirrorName,
  templateText,
  verboseTemplateText,
} from '@cadastre/rpsl';
import type { Context } from '../context.js';
import { helpText } from './help.js';

type Information = Extract<LineQuestion, { kind: 'help' | 'information' | 'template' }>;

/** The answer to a question about the registry, which needs no other service. */
export function informationText({ sources, version }: Context, question: Information): string {
  switch (question.kind) {
    case 'help':
      return `${helpText}\n`;
    case 'template':
      return `${question.verbose ? verboseTemplateText(question.type) : templateText(question.type)}\n`;
    case 'information':
      return `${informationAbout(question.about, sources, version)}\n`;
  }
}

function informationAbout(
  about: 'sources' | 'version' | 'types',
  { main, mirrors }: Context['sources'],
  version: string,
): string {
  switch (about) {
    case 'sources': {
      const names = new Set([main, nonAuthoritativeName(main), ownMirrorName(main), ...mirrors]);
      // Version 3 of NRTM, which this port does not serve.
      return [...names].map((name) => `${name}:3:N:0-0\n`).join('');
    }
    case 'version':
      return `% whois-server-${version}\n`;
    case 'types':
      return objectTypeNames.map((type) => `${type}\n`).join('');
  }
}

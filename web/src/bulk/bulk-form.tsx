import { useMemo, useRef, useState } from 'preact/hooks';
import { amount, numberText } from '../design/format.js';
import { createScanner, type FoundResources, findResources } from './find-resources.js';

/** A file that was read; does not hold the texts of large files. */
interface ScannedFile {
  readonly name: string;
  readonly found: FoundResources;
}

/** Reads a text or a file, and finds its resources in the browser. */
export function BulkForm({ onStart }: { readonly onStart: (found: FoundResources) => void }) {
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const { file, reading, read, remove } = useScannedFile();
  const typed = useMemo(() => findResources(text), [text]);
  const found = file?.found ?? typed;
  const requested = found.resources.length;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer?.files ?? [];
    if (dropped) void read(dropped);
    else setText(event.dataTransfer?.getData('text') ?? '');
  };
  return (
    <form
      class={`card stack bulk-form${isOver ? ' over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (requested > 0) onStart(found);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div class="field">
        <label for="bulk-text">A log, a list or any other text</label>
        <textarea
          id="bulk-text"
          class="mono"
          rows={7}
          spellcheck={false}
          autocapitalize="off"
          aria-describedby="bulk-help bulk-found"
          placeholder={'192.0.2.77\n2001:db8::/48\nAS64500'}
          value={text}
          disabled={file !== undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span id="bulk-help" class="soft small">
          Addresses, prefixes and AS numbers are found in your browser, and only they are sent. Drop a file here, or{' '}
          <label class="bulk-file" for="bulk-file">
            choose one
          </label>
          <input
            id="bulk-file"
            class="visually-hidden"
            type="file"
            onChange={(event) => {
              void read(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
          .
        </span>
      </div>
      <div class="row spread">
        <span id="bulk-found" role="status">
          {reading || foundText(found, file?.name)}
        </span>
        <span class="row">
          {file && (
            <button type="button" onClick={remove}>
              Remove the file
            </button>
          )}
          <button type="submit" class="primary" disabled={requested === 0}>
            Look up{requested > 0 ? ` ${numberText(requested)}` : ''}
          </button>
        </span>
      </div>
    </form>
  );
}

/** The file of the user; of several, the last one counts. */
function useScannedFile() {
  const [file, setFile] = useState<ScannedFile>();
  /** What happens to it, in words. */
  const [reading, setReading] = useState('');
  const latest = useRef(0);
  const read = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    const turn = ++latest.current;
    setReading(`Reading ${chosen.name} …`);
    const result = await scanFile(chosen).catch(() => undefined);
    if (turn !== latest.current) return;
    setReading(result === undefined ? `${chosen.name} cannot be read.` : '');
    setFile(result && { name: chosen.name, found: result });
  };
  return { file, reading, read, remove: () => setFile(undefined) };
}

/** Reads a file of any size piece by piece, so that the page remains responsive. */
async function scanFile(file: File): Promise<FoundResources> {
  const scanner = createScanner();
  const pieces = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await pieces.read();
    if (done) return scanner.end();
    scanner.add(value);
  }
}

/** The result, in one sentence. */
function foundText({ resources, isCut }: FoundResources, file: string | undefined): string {
  if (resources.length === 0) return file === undefined ? '' : `${file} has no addresses, prefixes or AS numbers.`;
  const times = resources.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    `${isCut ? 'the first ' : ''}${amount(resources.length, 'resource')}`,
    ...(times > resources.length ? [`found ${amount(times, 'time')}`] : []),
  ];
  return `${file === undefined ? '' : `${file}: `}${parts.join(', ')}`;
}

import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '../design/button.js';
import { LinesField } from '../design/field.js';
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
  const { file, reading, read, remove } = useScannedFile();
  const [isOver, dropping] = useDrop((dropped) => {
    const [first] = dropped.files;
    if (first) void read(first);
    else setText(dropped.getData('text'));
  });
  const typed = useMemo(() => findResources(text), [text]);
  const found = file?.found ?? typed;
  const requested = found.resources.length;
  const submit = (event: Event) => {
    event.preventDefault();
    if (requested > 0) onStart(found);
  };
  return (
    <form class={`card stack bulk-form${isOver ? ' over' : ''}`} onSubmit={submit} {...dropping}>
      <LinesField
        id="bulk-text"
        label="A log, a list or any other text"
        hint={<FileChoice read={read} />}
        rows={7}
        autocapitalize="off"
        aria-describedby="bulk-text-hint bulk-found"
        placeholder={'192.0.2.77\n2001:db8::/48\nAS64500'}
        value={text}
        disabled={file !== undefined}
        set={setText}
      />
      <div class="row spread">
        <span id="bulk-found" role="status">
          {reading || foundText(found, file?.name)}
        </span>
        <span class="row">
          {file && <Button label="Remove the file" act={remove} />}
          <button type="submit" class="primary" disabled={requested === 0}>
            Look up{requested > 0 ? ` ${numberText(requested)}` : ''}
          </button>
        </span>
      </div>
    </form>
  );
}

/** Says what happens to the text, and lets the user choose a file instead. */
function FileChoice({ read }: { readonly read: (chosen: File | undefined) => Promise<void> }) {
  return (
    <>
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
    </>
  );
}

/** Whether something is dragged over an element, and the listeners of the element; `take` gets what is dropped. */
function useDrop(take: (dropped: DataTransfer) => void) {
  const [isOver, setOver] = useState(false);
  const listeners = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer!);
    },
  };
  return [isOver, listeners] as const;
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

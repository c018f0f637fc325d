/** Writes all filtered rows to a file. A long export shows its progress and can be stopped. */
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { say, sayError } from '../../components/toast.tsx';
import { saveTextFile } from '../../features/csv/save-text-file.ts';
import type { DateSpan } from './date-span.ts';
import { csvName, type HistoryFile } from './history-csv.ts';
import { historyFile } from './use-history.ts';

/** Number of rows between two updates of the progress. */
const TELL_EVERY = 500;

export function ExportButton({
  what,
  span,
  whyNot,
}: {
  readonly what: HistoryFile;
  readonly span: DateSpan;
  /** Reason that there is nothing to write; null: there may be rows. */
  readonly whyNot: string | null;
}) {
  const client = useClient();
  /** Rows so far; null: no export is running. */
  const [count, setCount] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const write = async () => {
    const stopping = new AbortController();
    stop.current = stopping;
    setCount(0);
    try {
      const tell = (rows: number) => {
        if (rows % TELL_EVERY === 0) setCount(rows);
      };
      const file = await historyFile(client, what, span, tell, stopping.signal);
      if (stopping.signal.aborted) return;
      const name = csvName(what, span);
      saveTextFile(name, file.text);
      say(`${file.count} rows written`, { kind: 'success', detail: `Saved as ${name}` });
    } catch (error) {
      if (!stopping.signal.aborted) sayError('The file was not written', error);
    } finally {
      setCount(null);
    }
  };
  if (count === null)
    return (
      <Button
        icon={<Download />}
        disabled={whyNot !== null}
        title={whyNot ?? undefined}
        onClick={() => void write()}
      >
        Export CSV
      </Button>
    );
  return (
    <Button onClick={() => stop.current?.abort()}>
      {count === 0 ? 'Stop export' : `Stop export, ${count} rows so far`}
    </Button>
  );
}

/** History screen: closed trades, all fills and funding payments of the chosen days, on the screen and as a file. */
import { useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import layout from '../../components/layout.module.css';
import { Page, Panel } from '../../components/page.tsx';
import { Fresh } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { ALL_DAYS, type DateSpan, spanProblem } from './date-span.ts';
import { ExportButton } from './export-button.tsx';
import { FillsTable } from './fills-table.tsx';
import { FundingTable } from './funding-table.tsx';
import { SpanFields } from './span-fields.tsx';
import { TradesTable } from './trades-table.tsx';

const TABS = [
  { value: 'trades', label: 'Closed trades', view: TradesTable },
  { value: 'fills', label: 'Fills', view: FillsTable },
  { value: 'funding', label: 'Funding', view: FundingTable },
] as const;

export default function HistoryScreen() {
  const [, params] = useRoute('/history/:tab?');
  const [, go] = useLocation();
  const [typed, setTyped] = useState<DateSpan>(ALL_DAYS);
  /** Last valid span: the shown rows stay while days are being typed. */
  const [span, setSpan] = useState<DateSpan>(ALL_DAYS);
  const [whyNone, setWhyNone] = useState<string | null>(null);
  const { value: view, view: Shown } = TABS.find(({ value }) => value === params?.tab) ?? TABS[0];
  const change = (next: DateSpan) => {
    setTyped(next);
    if (spanProblem(next) === null) setSpan(next);
  };
  return (
    <Page
      title="History"
      actions={<ExportButton key={view} what={view} span={span} whyNot={spanProblem(typed) ?? whyNone} />}
    >
      <SpanFields span={typed} onChange={change} />
      <Panel flush>
        <Tabs<typeof view>
          tabs={TABS}
          value={view}
          onChange={(next) => go(`/history/${next}`)}
          label="History"
        >
          <Fresh className={layout['fill'] ?? ''}>
            <Shown
              span={span}
              isSpanWrong={spanProblem(typed) !== null}
              onAllDays={() => change(ALL_DAYS)}
              onWhyNone={setWhyNone}
            />
          </Fresh>
        </Tabs>
      </Panel>
    </Page>
  );
}

/** Previews a basket: sized, priced and judged; nothing is ordered. */

import { z } from 'zod';
import { rebalanceSlippage } from '../../domain/auto-rebalance.ts';
import { AFTER_BRACKET_POLICIES, BRACKETS_MODES, LEG_FAILURE_POLICIES } from '../../domain/enumerations.ts';
import type { TradeLeg } from '../../domain/model.ts';
import { crossingWords } from '../../words/conditions.ts';
import { accountNamed } from '../accounts.ts';
import { afterOf } from '../after.ts';
import type { Answer } from '../ask.ts';
import { expectedFigures, shortOf } from '../expected.ts';
import { accountInput, instrumentInput, plainAmount, usdAmount } from '../fields.ts';
import { type Draft, keepPreview } from '../keep-preview.ts';
import { legsInWords } from '../outcomes-of.ts';
import { opening, withoutPrices } from '../planned-trades.ts';
import { legsOf } from '../preview-basket-legs.ts';
import { previewOut } from '../preview-out.ts';
import { protectionRows } from '../protection.ts';
import { tool } from '../tool.ts';
import {
  bracketsOf,
  fractionOf,
  keepWeightsFields,
  keepWeightsOf,
  ladderFields,
  ladderOf,
  overTimeFields,
  protectionFields,
  protectionWords,
  slicingOf,
  slippageField,
  transformWords,
  watchOf,
  whenFields,
} from '../trade-fields.ts';

const names = (what: string) => z.array(instrumentInput).max(20).default([]).describe(what);

const input = z
  .object({
    account: accountInput,
    long: names('Instruments to buy, for example ["BTC-PERP"]'),
    short: names('Instruments to sell, for example ["ETH-PERP"]'),
    long_usd: usdAmount('All long instruments together, split equally').optional(),
    short_usd: usdAmount('All short instruments together, split equally').optional(),
    long_base: z
      .array(plainAmount('Quantity in base units', '0.01'))
      .max(20)
      .optional()
      .describe('A quantity for each long instrument, instead of USD'),
    short_base: z
      .array(plainAmount('Quantity in base units', '0.1'))
      .max(20)
      .optional()
      .describe('A quantity for each short instrument, instead of USD'),
    total_usd: usdAmount('All legs together, with weights').optional(),
    weights: z
      .array(plainAmount('Share of total_usd', '0.5'))
      .max(20)
      .optional()
      .describe('A share for each instrument, long then short; they sum to exactly 1'),
    style: z
      .enum(['now', 'when', 'over_time', 'ladder'])
      .default('now')
      .describe('"now" at market, "when" a condition is met, "over_time" in slices, "ladder" at levels'),
    ...slippageField,
    on_leg_failure: z
      .enum(LEG_FAILURE_POLICIES)
      .optional()
      .describe(
        'When one leg fails. UNWIND: what filled is closed again. Default: "UNWIND" with style "now", else "RETRY"',
      ),
    ...protectionFields,
    existing_protection: z
      .enum(BRACKETS_MODES)
      .default('KEEP')
      .describe('Where the basket is open already and is protected'),
    ...whenFields,
    ...overTimeFields,
    over_time_after_protection: z
      .enum(AFTER_BRACKET_POLICIES)
      .default('STOP')
      .describe('When take-profit or stop-loss has closed it: "STOP" ends the slices'),
    ...ladderFields,
    ...keepWeightsFields,
  })
  .strict();
type Input = z.output<typeof input>;

type Plan = Extract<Answer<'POST /trade/open'>, { readonly plan: unknown }>['plan'];

export const previewBasket = tool({
  name: 'preview_basket',
  title: 'Preview a basket',
  description:
    'Sizes a pair or basket, prices it and asks your limits. Orders nothing. Give instruments long and short and their size; style says whether it trades now, when a condition is met, over time, or at levels. place_order orders it with the preview_id.',
  annotations: { readOnlyHint: true, openWorldHint: true },
  trades: true,
  input,
  output: previewOut,
  async run(context, asked) {
    const account = await accountNamed(context.ask, asked.account);
    const { legs, totalUsd } = legsOf(asked);
    const slippage = fractionOf(asked.slippage_pct);
    const basket = { legs: [...legs], ...(totalUsd === null ? {} : { totalUsd }), slippage };
    const isNow = asked.style === 'now';
    const own = isNow ? nowFields(asked) : {};
    const answer = await context.ask('POST /trade/open', {
      account: account.id,
      body: { type: 'MARKET', ...basket, ...(isNow ? own : laterFields(asked)), dryRun: true },
    });
    if (!('plan' in answer)) throw new Error('a dry run that made something');
    const { plan, protection } = answer;
    const problems = plan.problems.map(({ message }) => message);
    return keepPreview(context, {
      account,
      summary: `${legsInWords(legs)}${totalUsd === null ? '' : ` of ${totalUsd} USD`}, ${styleWords(asked)}, ${account.venue}: ${account.money}`,
      ...requestOf(asked, basket, own, plan),
      ask: {
        accountId: account.id,
        kind: asked.style,
        brings: broughtBy(asked),
        protection: {
          does: 'BRING',
          body: asked.style === 'ladder' ? {} : { ...bracketsOf(asked), brackets: asked.existing_protection },
        },
        effect: 'OPENS',
        // Immediate orders are judged by the quantities that placing sends, as the order itself will be.
        ...(isNow ? { legs: basesOf(plan), totalUsd: null } : { legs, totalUsd }),
        slippage,
        laterSlippage: isNow ? rebalanceSlippage(keepWeightsOf(asked)) : undefined,
        positionId: null,
        rests: restsOf(asked),
      },
      // Pending orders are sized and checked again when they fire. Only immediate ones must be possible now.
      problems: isNow ? problems : [],
      notes: isNow
        ? shortOf(plan.legs)
        : problems.map((problem) => `as of now it would not fill: ${problem}`),
      legs: isNow ? opening(plan) : withoutPrices(opening(plan)),
      figures: {
        gross_usd: plan.grossNotional,
        net_usd: plan.netNotional,
        total_fee_usd: plan.totalFee,
        ...(isNow ? expectedFigures(plan) : {}),
        funding_usd_per_hour: plan.netFundingHourly,
        margin_required_usd: plan.marginRequired,
        free_margin_usd: plan.freeMargin,
        account_after: isNow ? afterOf(plan.after) : null,
        protection: protectionRows(protection),
      },
    });
  },
});

function nowFields(asked: Input) {
  const autoRebalance = keepWeightsOf(asked);
  return {
    onLegFailure: asked.on_leg_failure ?? 'UNWIND',
    brackets: asked.existing_protection,
    ...bracketsOf(asked),
    ...(autoRebalance === undefined ? {} : { autoRebalance }),
  };
}

/** Protection of an order that is placed later, at present prices. */
function laterFields(asked: Input) {
  return asked.style === 'ladder' ? {} : { ...bracketsOf(asked), brackets: asked.existing_protection };
}

/** Kinds that the mandate has to allow beside that of the order. */
function broughtBy(asked: Input): NonNullable<Draft['ask']['brings']> {
  const protects = asked.style !== 'ladder' && Object.keys(bracketsOf(asked)).length > 0;
  const rebalances = asked.style === 'now' && keepWeightsOf(asked) !== undefined;
  return [...(protects ? (['protect'] as const) : []), ...(rebalances ? (['rebalance'] as const) : [])];
}

function restsOf({ style, ladder_levels: levels = 0 }: Input): number {
  if (style === 'now') return 0;
  return style === 'ladder' ? levels : 1;
}

/** The legs in the quantities of the plan. */
function basesOf(plan: Plan): readonly TradeLeg[] {
  return plan.legs.map(({ symbol, side, quantity }) => ({ symbol, side, mode: 'BASE', amount: quantity }));
}

/** Request that placing makes. Immediate orders ask for the previewed quantities. */
function requestOf(
  asked: Input,
  basket: Readonly<Record<string, unknown>> & { readonly slippage: string },
  own: Readonly<Record<string, unknown>>,
  plan: Plan,
): Pick<Draft, 'route' | 'body'> {
  const protection = { ...bracketsOf(asked), brackets: asked.existing_protection };
  const failure = { onLegFailure: asked.on_leg_failure ?? 'RETRY' };
  switch (asked.style) {
    case 'now': {
      return {
        route: 'POST /trade/open',
        body: { type: 'MARKET', legs: basesOf(plan), slippage: basket.slippage, ...own },
      };
    }
    case 'when':
      return {
        route: 'POST /triggers/open',
        body: { ...basket, ...failure, ...watchOf(asked), ...protection },
      };
    case 'over_time':
      return {
        route: 'POST /schedules',
        body: {
          ...{ ...basket, ...failure, ...slicingOf(asked), ...protection },
          afterBracket: asked.over_time_after_protection,
        },
      };
    case 'ladder':
      return { route: 'POST /ladders', body: { ...basket, ...failure, ...ladderOf(asked) } };
  }
}

function styleWords(asked: Input): string {
  const { style, when_metric, when_direction, when_value, when_instrument } = asked;
  const protection = protectionWords(asked);
  const words = {
    now: 'now',
    when: `when ${transformWords(asked.when_transform, asked.when_lookback_hours)}${when_metric ?? '?'}${when_instrument === undefined ? '' : ` of ${when_instrument}`} ${crossingWords(when_direction ?? 'MORE_THAN')} ${when_value ?? '?'}`,
    over_time: `over ${asked.over_time_seconds ?? '?'} seconds`,
    ladder: `at ${asked.ladder_levels ?? '?'} levels of ${asked.ladder_metric ?? '?'} from ${asked.ladder_start ?? '?'} to ${asked.ladder_end ?? '?'}`,
  };
  return `${words[style]}${protection}`;
}

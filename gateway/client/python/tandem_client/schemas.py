# Written by `npm run python:types` from the gateway's contract. Not to be edited.
"""Every object that the gateway takes and answers with. Money and quantities are texts, never floats."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final


@final
class ArmAllow(TypedDict):
    """Left out: as it was; at first neither"""

    apiKeys: NotRequired[bool]
    grants: NotRequired[bool]


@final
class Arm(TypedDict):
    alias: str
    armed: NotRequired[bool]
    perOrderUsd: PositiveDecimalInput
    totalUsd: PositiveDecimalInput
    dayLossUsd: NotRequired[PositiveDecimalInput | None]
    instruments: NotRequired[list[str] | None]
    allow: NotRequired[ArmAllow]
    programsReadCredentials: NotRequired[bool]
    firstOrderConfirmed: NotRequired[Literal[True]]


PositiveDecimalInput: TypeAlias = "str"
"""Decimal string greater than 0, without exponent"""


@final
class ChangeHouseLimits(TypedDict):
    limits: HouseLimits
    ifVersion: int
    password: NotRequired[str]


@final
class HouseLimits(TypedDict):
    """Limits over all agents and keys with a mandate together. null: not limited"""

    maxOrderUsd: PositiveDecimalInput | None
    maxOpenedUsd24h: PositiveDecimalInput | None
    maxGrossUsd: PositiveDecimalInput | None
    maxPositions: int | None
    maxResting: int | None
    lossUsd24h: PositiveDecimalInput | None


@final
class ChangeMandate(TypedDict):
    mandate: Mandate
    ifVersion: int
    password: NotRequired[str]


@final
class MandateLossStop(TypedDict):
    usd: PositiveDecimalInput
    then: Literal["SUSPEND", "SUSPEND_AND_CLOSE"]


@final
class Mandate(TypedDict):
    """What an agent or a program may do with money. Amounts are USD. Closing is never refused by an amount, hours, the end or a suspension"""

    accounts: list[str]
    instruments: Literal["any"] | list[str]
    deny: list[str]
    kinds: list[MandateKind]
    reduceOnly: bool
    manage: Literal["OWN", "ALL"]
    maxOrderUsd: PositiveDecimalInput | None
    maxOpenedUsd24h: PositiveDecimalInput | None
    maxGrossUsd: PositiveDecimalInput | None
    maxLeverage: int | None
    maxPositions: int | None
    maxResting: int | None
    maxSlippage: Slippage | None
    hours: MandateHours | None
    validUntil: str | None
    lossStop: MandateLossStop | None
    approval: MandateApproval
    rate: MandateRate
    rights: MandateRights
    runaway: NotRequired[MandateRunaway]


MandateKind: TypeAlias = "Literal['now', 'when', 'over_time', 'ladder', 'protect', 'rebalance', 'reverse', 'margin']"
"""A way to order: at once, by a trigger, in slices, by a ladder, take-profits and stop-losses, rebalancing, reversal, added margin"""


Slippage: TypeAlias = "DecimalInput"
"""Decimal fraction around the mark price, at most 0.1"""


DecimalInput: TypeAlias = "str"
"""Non-negative decimal string without exponent"""


MandateHours = TypedDict(
    "MandateHours",
    {
        "zone": "str",
        "days": "list[int]",
        "from": "str",
        "to": "str",
    },
)


@final
class MandateApproval(TypedDict):
    """When a person is asked before it orders"""

    when: Literal["never", "above", "always"]
    aboveUsd: PositiveDecimalInput | None
    kinds: list[MandateKind]
    passwordAboveUsd: PositiveDecimalInput | None
    lifeSeconds: int
    driftBps: int
    firsts: Literal["off", "live", "all"]
    duplicates: NotRequired[Literal["ask", "allow"]]


@final
class MandateRate(TypedDict):
    """Orders that it may ask for"""

    perMinute: int
    perDay: int
    coolDownSeconds: int


@final
class MandateRights(TypedDict):
    readCredentials: bool
    manageAccounts: bool
    exchangeSetup: bool
    changeLeverage: bool
    attributeTrades: bool


@final
class MandateRunaway(TypedDict):
    """What it is suspended for, as soon as it is reached; the counts begin anew when the gateway starts and when its user resumes it"""

    refusals: int | None
    reopenings: int | None
    feesUsd: PositiveDecimalInput | None


@final
class ChangeAlertCondition(TypedDict):
    """The level; everything else of the condition stays"""

    value: LevelInput


@final
class ChangeAlert(TypedDict):
    condition: NotRequired[ChangeAlertCondition]
    allowImmediate: NotRequired[bool]
    expiresAt: NotRequired[str | None]


LevelInput: TypeAlias = "str"
"""Decimal string without exponent, greater than 0; with `transform` from −1000 to 1000, 0 included"""


@final
class OpenAlert(TypedDict):
    legs: NotRequired[list[AskedAlertLeg]]
    condition: ConditionInput
    priceSource: NotRequired[Literal["MARK", "LAST", "INDEX"]]
    expiresAt: NotRequired[str | None]
    allowImmediate: NotRequired[bool]
    onMissed: NotRequired[Literal["FIRE", "SKIP"]]


@final
class AskedAlertLeg(TypedDict):
    symbol: str
    side: Side
    weight: NotRequired[PositiveDecimalInput]


Side: TypeAlias = "Literal['BUY', 'SELL']"


@final
class ConditionInputPrice(TypedDict):
    type: Literal["PRICE"]
    direction: Direction
    value: PositiveDecimalInput
    symbol: str


@final
class ConditionInputPriceRatio(TypedDict):
    type: Literal["PRICE_RATIO"]
    direction: Direction
    value: LevelInput
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]


@final
class ConditionInputWeightedRatio(TypedDict):
    type: Literal["WEIGHTED_RATIO"]
    direction: Direction
    value: LevelInput
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]


@final
class ConditionInputCrossAssetPrice(TypedDict):
    type: Literal["CROSS_ASSET_PRICE"]
    direction: Direction
    value: PositiveDecimalInput
    symbol: str


@final
class ConditionInputBtcDom(TypedDict):
    type: Literal["BTC_DOM"]
    direction: Direction
    value: PercentInput


@final
class ConditionInputPredictionMarketOutcome(TypedDict):
    type: Literal["PREDICTION_MARKET_OUTCOME"]
    direction: Direction
    value: PercentInput
    source: str
    marketKey: str


ConditionInput: TypeAlias = "ConditionInputPrice | ConditionInputPriceRatio | ConditionInputWeightedRatio | ConditionInputCrossAssetPrice | ConditionInputBtcDom | ConditionInputPredictionMarketOutcome"


Direction: TypeAlias = "Literal['MORE_THAN', 'LESS_THAN']"
"""Strictly: an equal value fires neither way"""


PercentInput: TypeAlias = "PositiveDecimalInput"
"""Percent, between 0 and 100, both excluded"""


@final
class Approve(TypedDict):
    planHash: str
    password: NotRequired[str]


@final
class LoginBodyEmail(TypedDict):
    method: Literal["email"]
    email: str
    password: str


@final
class LoginBodyWallet(TypedDict):
    method: Literal["wallet"]
    address: str
    nonce: str
    signature: str
    setupCode: NotRequired[str]


LoginBody: TypeAlias = "LoginBodyEmail | LoginBodyWallet"


@final
class AutoRebalanceInput(TypedDict):
    mode: Literal["TARGET_WEIGHTS", "LIVE_BETA"]
    action: Literal["NOTIFY", "TRADE"]
    minimumDrift: PositiveDecimalInput
    timeframe: NotRequired[Literal["1h", "4h", "1d"]]
    cooldownSeconds: NotRequired[int]
    maxTradeUsd: NotRequired[PositiveDecimalInput]
    onLegFailure: NotRequired[RebalanceLegFailurePolicy]


RebalanceLegFailurePolicy: TypeAlias = "Literal['KEEP', 'RETRY']"
"""RETRY: what found no more liquidity is priced again inside the slippage bound. KEEP: it is not. There is no UNWIND: a rebalance buys and sells within its position."""


@final
class CountBasketPositions(TypedDict):
    basketKeys: list[BasketKey]
    connector: NotRequired[list[str]]


BasketKey: TypeAlias = "str"
"""Stable hash of the legs of a basket; the weights are no part of it"""


@final
class PutBrackets(TypedDict):
    takeProfit: NotRequired[Bracket | None]
    stopLoss: NotRequired[Bracket | None]


@final
class BracketTrailing(TypedDict):
    delta: PositiveDecimalInput
    activation: NotRequired[PositiveDecimalInput]


@final
class Bracket(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: LevelInput
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: NotRequired[BracketTrailing]
    slippage: NotRequired[Slippage]


CandleInterval: TypeAlias = "Literal['1m', '5m', '15m', '30m', '1h', '2h', '4h', '12h', '1d', '1w']"
"""Candles begin at whole multiples of it (UTC), weeks on Monday at 00:00"""


@final
class ChangeIntegration(TypedDict):
    name: NotRequired[str]
    status: NotRequired[Literal["ACTIVE", "INACTIVE"]]


@final
class CreateIntegration(TypedDict):
    clientId: str
    name: str
    status: NotRequired[Literal["ACTIVE", "INACTIVE"]]


@final
class CreateLadder(TypedDict):
    legs: list[TradeLeg]
    totalUsd: NotRequired[PositiveDecimalInput]
    metric: Literal["WEIGHTED_RATIO", "PRICE_RATIO", "PRICE"]
    symbol: NotRequired[str]
    direction: Direction
    start: PositiveDecimalInput
    end: PositiveDecimalInput
    levels: int
    distribution: Literal["LINEAR", "GEOMETRIC"]
    sizing: Literal["EQUAL", "INCREASING", "DECREASING"]
    allowImmediate: NotRequired[bool]
    expiresAt: NotRequired[str | None]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    clientId: NotRequired[str]


@final
class TradeLeg(TypedDict):
    symbol: str
    side: Side
    mode: Literal["USD", "BASE", "WEIGHT"]
    amount: PositiveDecimalInput


MessageKind: TypeAlias = "Literal['FILLED', 'FAILED', 'CLOSED', 'FIRED', 'APPROVAL', 'TROUBLE', 'OTHER']"
"""`FILLED`, `FAILED`: an execution ended. `CLOSED`: a position. `FIRED`: a take-profit, stop-loss, trigger, TWAP, ladder or rebalance did its work, or an alert was met. `APPROVAL`: an order waits for you. `TROUBLE`: something asks for a look (a venue in trouble, legs out of balance, a liquidation that is near or has happened, a suspended agent). `OTHER`: the rest of the notifications"""


@final
class ReadNotifications(TypedDict):
    id: NotRequired[str]
    before: NotRequired[str | int]


@final
class ChangeMargin(TypedDict):
    symbol: str
    amount: SignedDecimalInput


SignedDecimalInput: TypeAlias = "str"
"""Decimal string, not 0, without exponent"""


@final
class CloseAllPositions(TypedDict):
    connector: NotRequired[str]
    slippage: NotRequired[Slippage]
    clientId: NotRequired[str]


@final
class ReversePosition(TypedDict):
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    brackets: NotRequired[Literal["CARRY", "DROP"]]
    clientId: NotRequired[str]


@final
class PlanAdjustTargetsItem(TypedDict):
    symbol: str
    quantity: DecimalInput


@final
class PlanAdjust(TypedDict):
    intent: Literal["INCREASE", "REDUCE"]
    usd: NotRequired[PositiveDecimalInput]
    fraction: NotRequired[PositiveDecimalInput]
    targets: NotRequired[list[PlanAdjustTargetsItem]]
    slippage: NotRequired[Slippage]


@final
class PlanClose(TypedDict):
    fraction: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]


@final
class PlanCloseAll(TypedDict):
    connector: NotRequired[str]
    slippage: NotRequired[Slippage]


@final
class PlanReverse(TypedDict):
    slippage: NotRequired[Slippage]
    brackets: NotRequired[Literal["CARRY", "DROP"]]


@final
class AdjustPositionTargetsItem(TypedDict):
    symbol: str
    quantity: DecimalInput


@final
class AdjustPosition(TypedDict):
    intent: Literal["INCREASE", "REDUCE"]
    usd: NotRequired[PositiveDecimalInput]
    fraction: NotRequired[PositiveDecimalInput]
    targets: NotRequired[list[AdjustPositionTargetsItem]]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    clientId: NotRequired[str]


@final
class ClosePositionMarket(TypedDict):
    type: Literal["MARKET"]
    fraction: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[ClosingLegFailurePolicy]
    clientId: NotRequired[str]


@final
class ClosePositionTwap(TypedDict):
    type: Literal["TWAP"]
    fraction: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[ClosingLegFailurePolicy]
    clientId: NotRequired[str]
    durationSeconds: int
    intervalSeconds: NotRequired[int]
    randomize: NotRequired[bool]
    limitRatio: NotRequired[PositiveDecimalInput]
    missedSlicePolicy: NotRequired[Literal["CATCH_UP", "SKIP", "PAUSE"]]


@final
class ClosePositionTrigger(TypedDict):
    type: Literal["TRIGGER"]
    fraction: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[ClosingLegFailurePolicy]
    clientId: NotRequired[str]
    condition: ConditionInput
    priceSource: NotRequired[Literal["MARK", "LAST", "INDEX"]]
    expiresAt: NotRequired[str | None]
    allowImmediate: NotRequired[bool]
    onMissed: NotRequired[Literal["FIRE", "SKIP"]]


ClosePosition: TypeAlias = "ClosePositionMarket | ClosePositionTwap | ClosePositionTrigger"


ClosingLegFailurePolicy: TypeAlias = "Literal['KEEP', 'RETRY']"
"""RETRY: what found no more liquidity is priced again inside the slippage bound. KEEP: it is not; what is left stays open, or is left to the next slice. There is no UNWIND: what a close has filled is not opened again."""


@final
class OpenTrade(TypedDict):
    type: Literal["MARKET"]
    legs: list[TradeLeg]
    totalUsd: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    takeProfit: NotRequired[Bracket]
    stopLoss: NotRequired[Bracket]
    brackets: NotRequired[BracketsMode]
    autoRebalance: NotRequired[AutoRebalanceInput]
    clientId: NotRequired[str]
    dryRun: NotRequired[bool]


BracketsMode: TypeAlias = "Literal['KEEP', 'REPLACE']"
"""Where the basket is open already and has a take-profit or stop-loss of the kind that comes with this order. KEEP: the present one stays, for the whole position. REPLACE: this one takes its place, for the whole position, with the first fills; one that is closing the position stays."""


@final
class PlanRebalance(TypedDict):
    mode: NotRequired[Literal["TARGET_WEIGHTS", "LIVE_BETA"]]
    timeframe: NotRequired[Literal["1h", "4h", "1d"]]
    maxTradeUsd: NotRequired[PositiveDecimalInput]


@final
class RebalancePosition(TypedDict):
    mode: NotRequired[Literal["TARGET_WEIGHTS", "LIVE_BETA"]]
    timeframe: NotRequired[Literal["1h", "4h", "1d"]]
    maxTradeUsd: NotRequired[PositiveDecimalInput]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[RebalanceLegFailurePolicy]
    clientId: NotRequired[str]


@final
class Panic(TypedDict):
    confirm: Literal["CLOSE ALL"]
    includeOutside: NotRequired[bool]


@final
class ChangeSavedBasket(TypedDict):
    name: NotRequired[str]
    legs: NotRequired[list[SavedBasketLeg]]


@final
class SavedBasketLeg(TypedDict):
    symbol: str
    side: Side
    weight: float


@final
class CreateSavedBasket(TypedDict):
    name: str
    legs: list[SavedBasketLeg]


@final
class CreateSchedule(TypedDict):
    legs: list[TradeLeg]
    totalUsd: NotRequired[PositiveDecimalInput]
    durationSeconds: int
    intervalSeconds: NotRequired[int]
    randomize: NotRequired[bool]
    limitRatio: NotRequired[PositiveDecimalInput]
    missedSlicePolicy: NotRequired[Literal["CATCH_UP", "SKIP", "PAUSE"]]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    takeProfit: NotRequired[Bracket]
    stopLoss: NotRequired[Bracket]
    brackets: NotRequired[BracketsMode]
    afterBracket: NotRequired[Literal["STOP", "GO_ON"]]
    reduceOnly: NotRequired[bool]
    clientId: NotRequired[str]


@final
class PaperOutsideOrder(TypedDict):
    symbol: str
    side: Side
    quantity: NotRequired[PositiveDecimalInput]
    usd: NotRequired[PositiveDecimalInput]
    reduceOnly: NotRequired[bool]
    cloid: NotRequired[str]


@final
class PlanSyncPositionLegsItem(TypedDict):
    symbol: str
    side: Side


@final
class PlanSyncPosition(TypedDict):
    legs: list[PlanSyncPositionLegsItem]


@final
class ResolveReviews(TypedDict):
    ids: NotRequired[list[str]]


@final
class SyncRequest(TypedDict):
    pass


@final
class SyncPositionRequestLegsItem(TypedDict):
    symbol: str
    side: Side


@final
class SyncPositionRequest(TypedDict):
    legs: list[SyncPositionRequestLegsItem]
    cloids: NotRequired[list[str]]


VenueCredentials: TypeAlias = "dict[str, str | int | bool]"
"""The fields that the connector asks for"""


@final
class PutLeverage(TypedDict):
    symbol: str
    leverage: int
    marginMode: NotRequired[MarginMode]


MarginMode: TypeAlias = "Literal['cross', 'isolated']"


@final
class ChangeTriggerCondition(TypedDict):
    """The level; everything else of the condition stays"""

    value: LevelInput


@final
class ChangeTrigger(TypedDict):
    condition: NotRequired[ChangeTriggerCondition]
    allowImmediate: NotRequired[bool]
    expiresAt: NotRequired[str | None]
    takeProfit: NotRequired[Bracket | None]
    stopLoss: NotRequired[Bracket | None]
    brackets: NotRequired[BracketsMode]


@final
class OpenTrigger(TypedDict):
    legs: list[TradeLeg]
    totalUsd: NotRequired[PositiveDecimalInput]
    condition: ConditionInput
    priceSource: NotRequired[Literal["MARK", "LAST", "INDEX"]]
    expiresAt: NotRequired[str | None]
    allowImmediate: NotRequired[bool]
    onMissed: NotRequired[Literal["FIRE", "SKIP"]]
    slippage: NotRequired[Slippage]
    onLegFailure: NotRequired[Literal["KEEP", "UNWIND", "RETRY"]]
    takeProfit: NotRequired[Bracket]
    stopLoss: NotRequired[Bracket]
    brackets: NotRequired[BracketsMode]
    clientId: NotRequired[str]


@final
class ArmingAllow(TypedDict):
    """Who may open besides the owner's sessions"""

    apiKeys: bool
    grants: bool


@final
class Arming(TypedDict):
    """Limits of a live account. What closes is never limited"""

    tradeAccountId: str
    armed: bool
    armedAt: IsoTime | None
    perOrderUsd: DecimalString
    totalUsd: DecimalString
    dayLossUsd: DecimalString | None
    instruments: list[str] | None
    allow: ArmingAllow
    programsReadCredentials: bool | None
    firstOrderConfirmedAt: IsoTime | None


IsoTime: TypeAlias = "str"


DecimalString: TypeAlias = "str"
"""Decimal string, no exponent, no trailing zeros"""


@final
class ValidationError(TypedDict):
    """A refusal with errorCode VALIDATION_ERROR"""

    message: str
    errorCode: Literal["VALIDATION_ERROR"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class ValidationDetail(TypedDict):
    path: str
    message: str
    code: str


@final
class FrameworkError(TypedDict):
    """Authentication, guard and routing failures"""

    message: str
    error: str
    statusCode: int


@final
class ResourceNotFoundError(TypedDict):
    """A refusal with errorCode RESOURCE_NOT_FOUND"""

    message: str
    errorCode: Literal["RESOURCE_NOT_FOUND"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class NoopError(TypedDict):
    """A refusal with errorCode NOOP_ERROR"""

    message: str
    errorCode: Literal["NOOP_ERROR"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class DatabaseError(TypedDict):
    """A refusal with errorCode DATABASE_ERROR"""

    message: str
    errorCode: Literal["DATABASE_ERROR"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AgentLimitError(TypedDict):
    """A refusal with errorCode AGENT_LIMIT"""

    message: str
    errorCode: Literal["AGENT_LIMIT"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AccountRisk(TypedDict):
    at: IsoTime
    grossNotional: DecimalString
    netNotional: DecimalString
    unassignedGross: DecimalString
    unassignedNet: DecimalString
    equity: DecimalString
    freeMargin: DecimalString
    leverage: DecimalString | None
    beta: DecimalString | None
    crossValue: DecimalString
    maintenanceMargin: DecimalString
    marginRatio: DecimalString | None
    baskets: list[BasketRisk]


@final
class BasketRisk(TypedDict):
    positionId: str
    legMove: DecimalString | None
    ratioMove: DecimalString | None
    cause: Literal["CROSS", "ISOLATED"] | None
    firstSymbol: str | None


@final
class ConfigurationError(TypedDict):
    """A refusal with errorCode CONFIGURATION_ERROR"""

    message: str
    errorCode: Literal["CONFIGURATION_ERROR"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class HouseLimitsKept(TypedDict):
    version: int
    since: IsoTime | None
    limits: HouseLimits


@final
class ResourceBusyError(TypedDict):
    """A refusal with errorCode RESOURCE_BUSY"""

    message: str
    errorCode: Literal["RESOURCE_BUSY"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class Agent(TypedDict):
    id: str
    kind: Literal["oauth_grant", "api_key"]
    name: str
    scopes: list[str]
    connectedAt: IsoTime
    lastSeenAt: IsoTime | None
    state: Literal["READS", "TRADES", "ASKS", "UNLIMITED", "SUSPENDED", "ENDED"]
    suspended: Suspension | None
    mandate: KeptMandate | None
    usage: MandateUsage | None
    continues: list[str]


@final
class Suspension(TypedDict):
    reason: str
    at: IsoTime
    by: Literal["USER", "GATEWAY"]


@final
class KeptMandate(TypedDict):
    version: int
    hash: str
    since: IsoTime
    terms: Mandate


@final
class MandateUsageOpened(TypedDict):
    """What `openedUsd24h` is the sum of"""

    filledUsd: DecimalString
    reservedUsd: DecimalString
    askedUsd: DecimalString


@final
class MandateUsageGross(TypedDict):
    """What `grossUsd` is the sum of"""

    heldUsd: DecimalString
    reservedUsd: DecimalString
    waitingUsd: DecimalString
    askedUsd: DecimalString


@final
class MandateUsage(TypedDict):
    """What counts against the limits now"""

    openedUsd24h: DecimalString
    opened: MandateUsageOpened
    grossUsd: DecimalString
    gross: MandateUsageGross
    lossUsd24h: DecimalString
    positions: int
    positionsHeld: int
    resting: int
    restingPlaced: int
    ordersLastMinute: int
    ordersLastDay: int


@final
class RefusedAttemptLegsItem(TypedDict):
    symbol: str
    side: Literal["BUY", "SELL"]


@final
class RefusedAttemptLimitsItem(TypedDict):
    limit: str
    allowed: str | None
    used: str | None
    asked: str | None


@final
class RefusedAttempt(TypedDict):
    at: IsoTime
    lastAt: IsoTime
    count: int
    route: str
    tradeAccountId: str | None
    legs: list[RefusedAttemptLegsItem]
    message: str
    limits: list[RefusedAttemptLimitsItem]
    says: str | None
    preview: bool


@final
class AlertLegsItem(TypedDict):
    symbol: str
    side: Side
    weight: DecimalString


@final
class Alert(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    legs: list[AlertLegsItem]
    condition: Condition
    window: TransformWindow | None
    priceSource: Literal["MARK", "LAST", "INDEX"]
    onMissed: Literal["FIRE", "SKIP"]
    authority: Authority
    expiresAt: IsoTime | None
    status: AlertStatus
    lastValue: DecimalString | None
    lastCheckedAt: IsoTime | None
    triggeredAt: IsoTime | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class ConditionPrice(TypedDict):
    type: Literal["PRICE"]
    direction: Direction
    value: DecimalString
    symbol: str


@final
class ConditionPriceRatio(TypedDict):
    type: Literal["PRICE_RATIO"]
    direction: Direction
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]


@final
class ConditionWeightedRatio(TypedDict):
    type: Literal["WEIGHTED_RATIO"]
    direction: Direction
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]


@final
class ConditionCrossAssetPrice(TypedDict):
    type: Literal["CROSS_ASSET_PRICE"]
    direction: Direction
    value: DecimalString
    symbol: str


@final
class ConditionBtcDom(TypedDict):
    type: Literal["BTC_DOM"]
    direction: Direction
    value: DecimalString


@final
class ConditionPredictionMarketOutcome(TypedDict):
    type: Literal["PREDICTION_MARKET_OUTCOME"]
    direction: Direction
    value: DecimalString
    source: str
    marketKey: str


Condition: TypeAlias = "ConditionPrice | ConditionPriceRatio | ConditionWeightedRatio | ConditionCrossAssetPrice | ConditionBtcDom | ConditionPredictionMarketOutcome"


@final
class TransformWindow(TypedDict):
    """Of a transformed ratio; null: none, or not watched, or not computed for this hour yet"""

    until: IsoTime
    observations: int
    needed: int
    ratioLevel: DecimalString | None


@final
class Authority(TypedDict):
    """Who placed it. What follows from something was placed by who placed that: executions of a trigger, a rung, a slice or a bracket, the opening half of a reversal, an unwinding. A user who changes or resumes what waits takes it over; an agent never does. What an earlier version left without one was placed by the user."""

    kind: Literal["session", "api_key", "oauth_grant"]
    name: str


AlertStatus: TypeAlias = "Literal['ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELLED', 'EXPIRED']"
"""PAUSED: the prices that it watches are stale, it goes on by itself. COMPLETED: told"""


@final
class NotImplementedError(TypedDict):
    """A refusal with errorCode NOT_IMPLEMENTED_ERROR"""

    message: str
    errorCode: Literal["NOT_IMPLEMENTED_ERROR"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class CreatedApiKey(TypedDict):
    id: str
    label: str
    scope: Literal["read", "read_write"]
    keyPrefix: str
    expiresAt: IsoTime | None
    tradeAccountIds: list[str] | None
    lastUsedAt: IsoTime | None
    createdAt: IsoTime
    key: str


@final
class ApiKey(TypedDict):
    id: str
    label: str
    scope: Literal["read", "read_write"]
    keyPrefix: str
    expiresAt: IsoTime | None
    tradeAccountIds: list[str] | None
    lastUsedAt: IsoTime | None
    createdAt: IsoTime


@final
class ApprovalAsker(TypedDict):
    kind: Literal["oauth_grant", "api_key"]
    id: str
    name: str


@final
class ApprovalAccount(TypedDict):
    id: str
    alias: str | None
    connector: str
    mode: Literal["PAPER", "LIVE"]
    network: Literal["mainnet", "testnet"] | None
    venue: str
    caps: AccountCaps | None


@final
class ApprovalTermsItem(TypedDict):
    name: str
    value: str


@final
class Approval(TypedDict):
    id: str
    status: ApprovalStatus
    kind: Literal["now", "when", "over_time", "ladder", "protect", "rebalance", "reverse", "margin"]
    route: str
    plan: ApprovalPlan
    createdAt: IsoTime
    expiresAt: IsoTime
    decidedAt: IsoTime | None
    withdrawnBecause: str | None
    madeId: str | None
    asker: ApprovalAsker
    account: ApprovalAccount
    terms: list[ApprovalTermsItem]
    protection: list[Protection]
    reasons: list[Literal["ALWAYS", "ABOVE", "KIND", "FIRST_ON_ACCOUNT", "FIRST_OF_INSTRUMENT", "FIRST_LIVE", "DUPLICATE", "LOOSENS"]]
    aboveUsd: DecimalString | None
    says: str | None
    planHash: str
    driftBps: int
    needsPassword: bool
    updatedAt: IsoTime
    decidedBy: Literal["this session", "another session"] | None


ApprovalStatus: TypeAlias = "Literal['PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'WITHDRAWN']"


@final
class ApprovalPlan(TypedDict):
    at: IsoTime
    legs: list[ApprovalLeg]
    worstUsd: DecimalString
    feeUsd: DecimalString
    exposureBeforeUsd: DecimalString
    exposureAfterUsd: DecimalString
    loosens: list[str]


@final
class ApprovalLeg(TypedDict):
    symbol: str
    side: Side
    quantity: DecimalString | None
    mark: DecimalString | None
    markNow: DecimalString | None
    leverage: int | None
    marginMode: MarginMode | None
    worstPrice: DecimalString | None
    worstUsd: DecimalString
    feeUsd: DecimalString
    reduces: bool


@final
class AccountCaps(TypedDict):
    opens: bool
    perOrderUsd: DecimalString
    totalUsd: DecimalString


@final
class Protection(TypedDict):
    kind: Literal["TAKE_PROFIT", "STOP_LOSS"]
    metric: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    now: DecimalString | None
    firesAt: DecimalString | None
    distancePct: DecimalString | None
    resultUsd: DecimalString | None


@final
class AskedApproval(TypedDict):
    """An approval as whoever asked for it sees it"""

    id: str
    status: ApprovalStatus
    kind: Literal["now", "when", "over_time", "ladder", "protect", "rebalance", "reverse", "margin"]
    route: str
    plan: ApprovalPlan
    createdAt: IsoTime
    expiresAt: IsoTime
    decidedAt: IsoTime | None
    withdrawnBecause: str | None
    madeId: str | None
    tradeAccountId: str


@final
class AuditEntry(TypedDict):
    id: str
    action: Literal["user.registered", "session.opened", "session.refused", "session.ended", "password.changed", "api_key.created", "api_key.revoked", "credentials.stored", "credentials.read", "credentials.removed", "account.armed", "account.disarmed", "venue_key.created", "venue_key.registered", "venue_token.created", "integrator.approved", "withdrawal.submitted", "account_tier.changed", "approval.requested", "approval.approved", "approval.denied", "approval.expired", "approval.withdrawn", "agent.approved", "agent.denied", "agent.connected", "agent.revoked", "agent.token_reused", "agent.code_replayed", "agent.suspended", "agent.resumed", "agent.order.placed", "mandate.changed", "house_limits.changed", "destination.created", "destination.changed", "destination.secret_rotated", "destination.removed", "protection.loosened", "trading.paused", "trading.resumed", "trading.panic"]
    subjectId: str | None
    method: Literal["password", "wallet", "link", "session", "api_key", "oauth_grant", "oauth_client", "gateway"]
    client: str | None
    ip: str | None
    says: str | None
    at: IsoTime


@final
class Session(TypedDict):
    id: str
    userAgent: str | None
    ip: str | None
    current: bool
    createdAt: IsoTime
    lastUsedAt: IsoTime
    expiresAt: IsoTime


@final
class SignedIn(TypedDict):
    accessToken: str
    refreshToken: str
    expiresIn: int
    user: User


@final
class User(TypedDict):
    id: str
    email: str | None
    walletAddress: str | None
    displayName: str | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class WalletChallenge(TypedDict):
    nonce: str
    message: str
    expiresAt: IsoTime


@final
class SessionTokens(TypedDict):
    accessToken: str
    refreshToken: str
    expiresIn: int


@final
class Registered(TypedDict):
    accessToken: str
    refreshToken: str
    expiresIn: int
    user: User
    tradeAccount: TradeAccount | None


@final
class TradeAccountChecksItem(TypedDict):
    name: str
    ok: bool
    detail: str


@final
class TradeAccount(TypedDict):
    id: str
    alias: str
    connector: str
    mode: Literal["PAPER", "LIVE"]
    network: Literal["mainnet", "testnet"] | None
    exchangeIdentifier: str
    status: Literal["READY", "NO_CREDENTIALS", "INVALID_CREDENTIALS", "DEGRADED"]
    checks: list[TradeAccountChecksItem]
    metadata: dict[str, Any] | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class WsTicket(TypedDict):
    ticket: str
    expiresAt: IsoTime


@final
class AutoRebalancePositionNotFoundError(TypedDict):
    """A refusal with errorCode AUTO_REBALANCE_POSITION_NOT_FOUND"""

    message: str
    errorCode: Literal["AUTO_REBALANCE_POSITION_NOT_FOUND"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AutoRebalanceConfigNotFoundError(TypedDict):
    """A refusal with errorCode AUTO_REBALANCE_CONFIG_NOT_FOUND"""

    message: str
    errorCode: Literal["AUTO_REBALANCE_CONFIG_NOT_FOUND"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AutoRebalance(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    positionId: str
    mode: Literal["TARGET_WEIGHTS", "LIVE_BETA"]
    action: Literal["NOTIFY", "TRADE"]
    minimumDrift: DecimalString
    timeframe: Literal["1h", "4h", "1d"] | None
    cooldownSeconds: int
    maxTradeUsd: DecimalString | None
    onLegFailure: RebalanceLegFailurePolicy
    status: Literal["ACTIVE", "PAUSED", "ENDED"]
    pausedBy: Literal["USER", "AGENT"] | None
    lastDrift: DecimalString | None
    lastCheckedAt: IsoTime | None
    lastActionAt: IsoTime | None
    lastExecutionId: str | None
    lastFilled: list[FilledLeg]
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class FilledLeg(TypedDict):
    symbol: str
    side: Side
    quantity: DecimalString
    notional: DecimalString


@final
class AutoRebalanceInvalidLiveBetaExposureError(TypedDict):
    """A refusal with errorCode AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE"""

    message: str
    errorCode: Literal["AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class CallerNotAllowedError(TypedDict):
    """A refusal with errorCode CALLER_NOT_ALLOWED"""

    message: str
    errorCode: Literal["CALLER_NOT_ALLOWED"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AutoRebalancePositionNotOpenError(TypedDict):
    """A refusal with errorCode AUTO_REBALANCE_POSITION_NOT_OPEN"""

    message: str
    errorCode: Literal["AUTO_REBALANCE_POSITION_NOT_OPEN"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AutoRebalanceActiveConfigExistsError(TypedDict):
    """A refusal with errorCode AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS"""

    message: str
    errorCode: Literal["AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class AccountNotArmedError(TypedDict):
    """A refusal with errorCode ACCOUNT_NOT_ARMED"""

    message: str
    errorCode: Literal["ACCOUNT_NOT_ARMED"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class CapExceededError(TypedDict):
    """A refusal with errorCode CAP_EXCEEDED"""

    message: str
    errorCode: Literal["CAP_EXCEEDED"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class BasketWeightsLegsItem(TypedDict):
    symbol: str
    side: Side
    volatility: DecimalString | None


@final
class BasketWeightsWeightingsItem(TypedDict):
    weighting: Literal["EQUAL", "VOLATILITY_NEUTRAL", "BETA_NEUTRAL", "HEDGE_RATIO"]
    weights: list[DecimalString] | None
    reason: Literal["TOO_FEW_OBSERVATIONS", "ONE_SIDE", "NOT_POSITIVE", "STOOD_STILL"] | None
    figure: DecimalString | None


BasketWeights = TypedDict(
    "BasketWeights",
    {
        "connector": "str",
        "lookback": "Literal[\"24h\", \"7d\", \"30d\", \"90d\"]",
        "interval": "str",
        "from": "IsoTime | None",
        "to": "IsoTime | None",
        "observations": "int",
        "legs": "list[BasketWeightsLegsItem]",
        "weightings": "list[BasketWeightsWeightingsItem]",
    },
)


@final
class PairSummaryFundingApr(TypedDict):
    """Funding a year at the rates of now, a decimal fraction of gross notional, with as much long as short; positive: the holder receives. held: of this pair, reversed: of its inverse"""

    held: DecimalString | None
    reversed: DecimalString | None


@final
class PairSummary(TypedDict):
    connector: str
    long: str
    short: str
    ratio: DecimalString | None
    ratioChange24h: DecimalString | None
    fundingApr: PairSummaryFundingApr
    volume24h: DecimalString | None
    openInterest: DecimalString | None
    lookback: Literal["24h", "7d", "30d", "90d"]
    observations: int
    asOf: IsoTime | None
    correlation: DecimalString | None
    hedgeRatio: DecimalString | None
    zScore: DecimalString | None
    halfLifeHours: DecimalString | None
    pValue: DecimalString | None


@final
class BasketFundingLegsItem(TypedDict):
    symbol: str
    side: Side
    weight: DecimalString
    carryApr: DecimalString | None
    carryApr7d: DecimalString | None
    carryApr30d: DecimalString | None


@final
class BasketFundingHistoryItem(TypedDict):
    time: IsoTime
    carryApr: DecimalString


@final
class BasketFunding(TypedDict):
    connector: str
    carryApr: DecimalString | None
    carryApr7d: DecimalString | None
    carryApr30d: DecimalString | None
    hours7d: int
    hours30d: int
    to: IsoTime
    recordedSince: IsoTime | None
    legs: list[BasketFundingLegsItem]
    history: list[BasketFundingHistoryItem]


@final
class BasketCountsCountsItem(TypedDict):
    basketKey: BasketKey
    opened: int
    traders: int


@final
class BasketCounts(TypedDict):
    counts: list[BasketCountsCountsItem]


@final
class MarketBasketList(TypedDict):
    limit: int
    offset: int
    count: int
    markets: list[MarketBasket]


@final
class MarketBasketLegsItem(TypedDict):
    id: str
    symbol: str
    side: Side


@final
class MarketBasket(TypedDict):
    """A figure is null while the venue has not told what it is made of for every leg."""

    connector: str
    basketKey: BasketKey
    displaySymbol: str
    legs: list[MarketBasketLegsItem]
    price: DecimalString | None
    priceChange24h: DecimalString | None
    weightRatio: DecimalString | None
    weightRatioChange24h: DecimalString | None
    netFunding: DecimalString | None
    volume24h: DecimalString | None
    openInterest: DecimalString | None
    tradeability: Tradeability
    updatedAt: int
    hasMaterializedStats: bool


@final
class Tradeability(TypedDict):
    status: Literal["tradable", "reduce_only", "not_tradable"]
    reason: str | None


@final
class PositionBrackets(TypedDict):
    positionId: str
    takeProfit: PositionBracket | None
    stopLoss: PositionBracket | None


@final
class PositionBracketTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class PositionBracketTrailingNow(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class PositionBracket(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: PositionBracketTrailing | None
    slippage: DecimalString
    triggerId: str
    status: Literal["ACTIVE", "PAUSED", "TRIGGERED"]
    peak: DecimalString | None
    standIn: DecimalString | None
    level: DecimalString | None
    trailingNow: PositionBracketTrailingNow | None
    pauseReason: Literal["USER", "FEED_STALE", "OTHER_BRACKET", "AGENT_LIMIT", "LEG_IMBALANCE"] | None
    pausedBy: Literal["USER", "AGENT"] | None
    rounds: int
    nextRoundAt: IsoTime | None
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class PairAnalyticsTradeability(TypedDict):
    """Now. Of an instrument that is not tradable any more the figures are of its past"""

    long: Tradeability
    short: Tradeability


PairAnalyticsCointegrationCriticalValues = TypedDict(
    "PairAnalyticsCointegrationCriticalValues",
    {
        "0.01": "DecimalString",
        "0.05": "DecimalString",
        "0.1": "DecimalString",
    },
)


@final
class PairAnalyticsCointegration(TypedDict):
    test: Literal["ENGLE_GRANGER"]
    statistic: DecimalString
    lags: int
    criticalValues: PairAnalyticsCointegrationCriticalValues
    pValueBand: Literal["<0.01", "0.01-0.05", "0.05-0.1", ">0.1"]
    pValue: DecimalString


@final
class PairAnalyticsHistoryItem(TypedDict):
    time: IsoTime
    ratio: DecimalString
    zScore: DecimalString | None


PairAnalytics = TypedDict(
    "PairAnalytics",
    {
        "connector": "str",
        "long": "str",
        "short": "str",
        "lookback": "Literal[\"24h\", \"7d\", \"30d\", \"90d\"]",
        "interval": "str",
        "from": "IsoTime | None",
        "to": "IsoTime | None",
        "observations": "int",
        "reason": "Literal[\"TOO_FEW_OBSERVATIONS\", \"LONG_CONSTANT\", \"SHORT_CONSTANT\", \"NO_SPREAD\"] | None",
        "tradeability": "PairAnalyticsTradeability",
        "correlation": "DecimalString | None",
        "beta": "DecimalString | None",
        "hedgeRatio": "DecimalString | None",
        "spreadDeviation": "DecimalString | None",
        "zScore": "DecimalString | None",
        "halfLifeHours": "DecimalString | None",
        "halfLifeReason": "Literal[\"DOES_NOT_REVERT\", \"OSCILLATES\"] | None",
        "cointegration": "PairAnalyticsCointegration | None",
        "history": "list[PairAnalyticsHistoryItem]",
    },
)


@final
class BasketCandleList(TypedDict):
    candles: list[Candle]


@final
class Candle(TypedDict):
    start: IsoTime
    open: DecimalString
    high: DecimalString
    low: DecimalString
    close: DecimalString
    isComplete: bool


@final
class CandleList(TypedDict):
    candles: list[Candle]


@final
class DashboardStart(TypedDict):
    signedIn: bool
    registration: Literal["first", "open", "closed"]
    setupCode: NotRequired[bool]


@final
class CredentialsNotStoredError(TypedDict):
    """A refusal with errorCode CREDENTIALS_NOT_STORED"""

    message: str
    errorCode: Literal["CREDENTIALS_NOT_STORED"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class FeeQuoteLegsItem(TypedDict):
    symbol: str
    notional: DecimalString
    fee: DecimalString


@final
class FeeQuote(TypedDict):
    connector: str
    takerRate: DecimalString
    makerRate: DecimalString
    integratorRate: DecimalString
    legs: list[FeeQuoteLegsItem]
    totalFee: DecimalString


@final
class ClosedTrade(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    origin: Literal["GATEWAY", "MIXED", "EXTERNAL"]
    legs: list[ClosedTradeLeg]
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    netPnl: DecimalString
    returnPct: DecimalString | None
    openedAt: IsoTime
    closedAt: IsoTime
    durationSeconds: int
    steps: NotRequired[list[ClosedTradeStep]]


@final
class ClosedTradeLeg(TypedDict):
    symbol: str
    ticker: str
    side: Side
    quantity: DecimalString
    entryPrice: DecimalString | None
    exitPrice: DecimalString | None
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString


@final
class ClosedTradeStepLegsItem(TypedDict):
    symbol: str
    side: Side
    quantity: DecimalString
    price: DecimalString
    fee: DecimalString
    realizedPnl: DecimalString


@final
class ClosedTradeStep(TypedDict):
    kind: Literal["OPEN", "INCREASE", "REDUCE", "CLOSE", "LIQUIDATION"]
    executionId: str | None
    at: IsoTime
    legs: list[ClosedTradeStepLegsItem]


@final
class FundingPaymentLegsItem(TypedDict):
    symbol: str
    side: Side


@final
class FundingPayment(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    timestamp: IsoTime
    symbol: str
    ticker: str
    positionId: str | None
    paidOn: Literal["POSITION", "OUTSIDE", "DUST"]
    legs: list[FundingPaymentLegsItem]
    rate: DecimalString
    side: Side | None
    notional: DecimalString | None
    amount: DecimalString


@final
class Fill(TypedDict):
    id: str
    executionId: str | None
    orderId: str | None
    positionId: str | None
    connector: str
    symbol: str
    side: Side
    price: DecimalString
    quantity: DecimalString
    notional: DecimalString
    fee: DecimalString
    feeAsset: str
    realizedPnl: DecimalString
    liquidity: Literal["MAKER", "TAKER"]
    venueOrderId: str | None
    tradeId: str
    cloid: str | None
    isLiquidation: bool
    isProvisional: bool
    cause: Literal["TRADE", "INTERNAL", "CLOSED_OUTSIDE", "ADJUSTMENT", "ADL", "SETTLEMENT", "DELISTING", "BASELINE"]
    timestamp: IsoTime


@final
class Integration(TypedDict):
    id: str
    clientId: str
    name: str
    status: Literal["ACTIVE", "INACTIVE"]
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class LadderRungsItem(TypedDict):
    index: int
    level: DecimalString
    usd: DecimalString
    triggerId: str
    status: TriggerStatus
    filled: list[FilledLeg]


@final
class Ladder(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    legs: list[AskedLeg]
    totalUsd: DecimalString
    metric: Literal["WEIGHTED_RATIO", "PRICE_RATIO", "PRICE"]
    symbol: str | None
    direction: Direction
    start: DecimalString
    end: DecimalString
    distribution: Literal["LINEAR", "GEOMETRIC"]
    sizing: Literal["EQUAL", "INCREASING", "DECREASING"]
    expiresAt: IsoTime | None
    slippage: DecimalString
    onLegFailure: Literal["KEEP", "UNWIND", "RETRY"]
    clientId: str | None
    authority: Authority
    status: Literal["ACTIVE", "COMPLETED", "PARTIALLY_COMPLETED", "CANCELLED", "FAILED", "EXPIRED"]
    levels: int
    filledLevels: int
    filled: list[FilledLeg]
    rungs: list[LadderRungsItem]
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class AskedLeg(TypedDict):
    symbol: str
    side: Side
    mode: Literal["USD", "BASE", "WEIGHT"]
    amount: DecimalString


TriggerStatus: TypeAlias = "Literal['ACTIVE', 'PAUSED', 'TRIGGERED', 'COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED']"
"""PARTIALLY_COMPLETED: a part filled, see `filled`; its event is `trigger.completed`. FAILED: nothing filled."""


@final
class FeedsDominance(TypedDict):
    value: DecimalString
    updatedAt: IsoTime


@final
class Feeds(TypedDict):
    dominance: FeedsDominance | None
    predictionMarkets: list[PredictionMarket]


@final
class PredictionMarket(TypedDict):
    source: str
    marketKey: str
    question: str
    probability: DecimalString
    updatedAt: IsoTime


SymbolToIdMap: TypeAlias = "dict[str, str]"
"""Ticker → instrument ID"""


@final
class ConnectorList(TypedDict):
    connectors: list[Connector]
    credentialStore: CredentialStore


@final
class Connector(TypedDict):
    id: str
    displayName: str
    mode: Literal["PAPER", "LIVE"]
    marginMode: Literal["required", "rejected"]
    fundingIntervalHours: int
    capabilities: list[str]
    credentials: NotRequired[list[CredentialField]]
    network: NotRequired[Literal["mainnet", "testnet"]]
    override: NotRequired[str]
    inUse: bool
    status: ConnectorStatus
    since: IsoTime
    reason: str | None
    trading: Literal["UP", "CLOSE_ONLY", "DOWN"]
    until: IsoTime | None


@final
class CredentialField(TypedDict):
    """A field of the credentials of a trade account"""

    name: str
    label: str
    kind: Literal["text", "number", "yes-no"]
    secret: bool
    required: bool
    hint: str | None


ConnectorStatus: TypeAlias = "Literal['UP', 'DEGRADED', 'DOWN']"


@final
class CredentialStore(TypedDict):
    """Where credentials of trade accounts are stored"""

    kind: Literal["keychain", "file", "memory"]
    refusal: str | None


@final
class FundingList(TypedDict):
    funding: list[Funding]


@final
class Funding(TypedDict):
    id: str
    symbol: str
    rate: DecimalString
    intervalHours: int
    nextFundingTime: IsoTime


@final
class InstrumentList(TypedDict):
    instruments: list[Instrument]


@final
class Instrument(TypedDict):
    id: str
    symbol: str
    connector: str
    venueSymbol: str
    multiplier: DecimalString
    type: Literal["perp"]
    tickSize: DecimalString
    stepSize: DecimalString
    minQuantity: DecimalString
    maxQuantity: DecimalString | None
    minNotional: DecimalString
    priceBand: DecimalString | None
    maxLeverage: int
    marginModes: list[MarginMode]
    fundingIntervalHours: int
    tradeability: Tradeability


@final
class InstrumentLiteList(TypedDict):
    instruments: list[InstrumentLite]


@final
class InstrumentLite(TypedDict):
    id: str
    symbol: str
    stepSize: DecimalString
    tickSize: DecimalString


@final
class MarketListTotals(TypedDict):
    """The whole connector, whatever scope, search and paging select"""

    markets: int
    volume24h: DecimalString
    openInterest: DecimalString


@final
class MarketList(TypedDict):
    markets: list[MarketRow]
    totals: MarketListTotals


@final
class MarketRow(TypedDict):
    id: str
    symbol: str
    price: DecimalString
    priceChange24h: DecimalString
    funding: DecimalString | None
    volume24h: DecimalString | None
    openInterest: DecimalString | None
    tradeability: Tradeability
    updatedAt: IsoTime


@final
class PriceList(TypedDict):
    prices: list[Price]


@final
class Price(TypedDict):
    id: str
    symbol: str
    mark: DecimalString
    index: DecimalString
    mid: DecimalString
    bid: DecimalString
    ask: DecimalString
    last: DecimalString
    price24hAgo: DecimalString
    updatedAt: IsoTime


@final
class NotificationChannelLastAttempt(TypedDict):
    at: IsoTime
    status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]
    responseStatus: int | None
    error: str | None


@final
class NotificationChannel(TypedDict):
    id: str
    name: str
    tradeAccountIds: list[str] | None
    enabled: bool
    waiting: int
    skipped: int
    lastAttempt: NotificationChannelLastAttempt | None
    createdAt: IsoTime
    updatedAt: IsoTime
    service: Literal["NTFY", "TELEGRAM", "DISCORD"]
    address: str
    kinds: list[MessageKind]


@final
class Delivery(TypedDict):
    id: str
    event: WebhookEvent
    status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]
    attempts: int
    nextAttemptAt: IsoTime | None
    responseStatus: int | None
    response: str | None
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime
    finishedAt: IsoTime | None


@final
class WebhookEventData(TypedDict):
    entityId: str


@final
class WebhookEvent(TypedDict):
    """The body of a delivery"""

    id: str
    event: str
    tradeAccountId: str | None
    mode: Literal["PAPER", "LIVE"]
    network: Literal["mainnet", "testnet"] | None
    seq: int
    timestamp: IsoTime
    data: WebhookEventData


@final
class Notification(TypedDict):
    id: str
    category: NotificationCategory
    parameters: NotificationParameters
    isRead: bool
    createdAt: IsoTime
    updatedAt: IsoTime


NotificationCategory: TypeAlias = "Literal['TAKE_PROFIT_HIT', 'TAKE_PROFIT_FAILED', 'STOP_LOSS_HIT', 'STOP_LOSS_FAILED', 'STOP_LOSS_NOT_SET', 'PROTECTION_LOOSENED', 'TRIGGER_EXECUTED', 'TRIGGER_FAILED', 'TRIGGER_EXPIRED', 'ALERT_HIT', 'ALERT_EXPIRED', 'SCHEDULE_COMPLETED', 'SCHEDULE_FAILED', 'SCHEDULE_STOPPED', 'PLAN_PAUSED_LEG_IMBALANCE', 'LADDER_COMPLETED', 'REBALANCE_DRIFT', 'REBALANCE_EXECUTED', 'LEG_IMBALANCE', 'EXTERNAL_OPEN', 'EXTERNAL_CLOSE', 'LIQUIDATION_NEAR', 'POSITION_LIQUIDATED', 'CONNECTOR_DEGRADED', 'CONNECTOR_RECOVERED', 'INSTRUMENT_RESTRICTED', 'CLOCK_CHANGED', 'VENUE_HISTORY_LOST', 'ORDER_NEEDS_REVIEW', 'CREDENTIALS_REFUSED', 'CREDENTIALS_EXPIRING', 'ACCOUNT_MODE_CHANGED', 'OTHER_PROGRAM_TRADES', 'DISK_SPACE', 'APPROVAL_NEEDED', 'APPROVAL_EXPIRED', 'AGENT_CONNECTED', 'AGENT_REVOKED', 'AGENT_SUSPENDED', 'AGENT_LIMIT', 'PANIC_FLAT', 'PANIC_INCOMPLETE']"


@final
class NotificationParametersLegsItem(TypedDict):
    id: str
    symbol: str
    side: Side


@final
class NotificationParametersInstrument(TypedDict):
    """Whose price `level` is of; of `LIQUIDATION_NEAR` what the venue would close first. Left out: neither"""

    id: str
    symbol: str


@final
class NotificationParameters(TypedDict):
    legs: NotRequired[list[NotificationParametersLegsItem]]
    instrument: NotRequired[NotificationParametersInstrument]
    type: NotRequired[str]
    triggerId: NotRequired[str]
    alertId: NotRequired[str]
    scheduleId: NotRequired[str]
    ladderId: NotRequired[str]
    positionId: NotRequired[str]
    executionId: NotRequired[str]
    approvalId: NotRequired[str]
    tradeAccountId: NotRequired[str]
    connector: NotRequired[str]
    metric: NotRequired[Literal["price", "ratio", "price_ratio", "z_score", "spread", "pnl_pct", "pnl_usd", "position_value", "btc_dominance", "probability"]]
    level: NotRequired[float]
    source: NotRequired[str]
    marketKey: NotRequired[str]
    lookback: NotRequired[int]
    direction: NotRequired[Direction]
    distance: NotRequired[DecimalString]
    reason: NotRequired[str]
    semanticBracketType: NotRequired[Literal["TAKE_PROFIT", "STOP_LOSS"]]


@final
class ReturnTo(TypedDict):
    returnTo: str


@final
class LeftWaiting(TypedDict):
    triggers: int
    ladders: int
    schedules: int
    autoRebalances: int


@final
class OAuthGrant(TypedDict):
    id: str
    name: str
    scopes: list[str]
    connectedAt: IsoTime


@final
class OAuthInteractionPromptDetailsAccount(TypedDict):
    """Who has signed in, once `name` is `consent`"""

    email: str | None
    walletAddress: str | None


@final
class OAuthInteractionPromptDetails(TypedDict):
    scopes: list[str]
    expiresAt: IsoTime
    account: NotRequired[OAuthInteractionPromptDetailsAccount]


@final
class OAuthInteractionPrompt(TypedDict):
    name: Literal["login", "consent"]
    details: OAuthInteractionPromptDetails


@final
class OAuthInteractionParams(TypedDict):
    client_id: str
    redirect_uri: str
    state: NotRequired[str]
    scope: str


@final
class OAuthInteractionClient(TypedDict):
    clientId: str
    clientName: str
    redirectUris: list[str]


@final
class OAuthInteraction(TypedDict):
    uid: str
    prompt: OAuthInteractionPrompt
    params: OAuthInteractionParams
    client: OAuthInteractionClient


@final
class InteractionTermsAccountsItem(TypedDict):
    id: str
    alias: str
    money: Literal["PAPER", "TESTNET", "LIVE"]
    venue: str
    caps: AccountCaps | None


@final
class InteractionTermsPresetsItem(TypedDict):
    name: Literal["look_only", "play_money", "small_and_asked", "own_numbers"]
    title: str
    mandate: Mandate
    sentences: list[str]


@final
class InteractionTermsProposal(TypedDict):
    asked: MandateProposal
    mandate: Mandate
    sentences: list[str]


@final
class InteractionTermsContinuesItem(TypedDict):
    id: str
    connectedAt: IsoTime
    active: bool


@final
class InteractionTermsConnectedItem(TypedDict):
    id: str
    name: str
    connectedAt: IsoTime
    lastSeenAt: IsoTime | None


@final
class InteractionTerms(TypedDict):
    accounts: list[InteractionTermsAccountsItem]
    presets: list[InteractionTermsPresetsItem]
    proposal: InteractionTermsProposal | None
    continues: list[InteractionTermsContinuesItem]
    full: bool
    connected: list[InteractionTermsConnectedItem]


@final
class MandateProposalLossStop(TypedDict):
    usd: PositiveDecimalInput
    then: Literal["SUSPEND", "SUSPEND_AND_CLOSE"]


@final
class MandateProposal(TypedDict):
    instruments: NotRequired[Literal["any"] | list[str]]
    deny: NotRequired[list[str]]
    kinds: NotRequired[list[MandateKind]]
    reduceOnly: NotRequired[bool]
    manage: NotRequired[Literal["OWN", "ALL"]]
    maxOrderUsd: NotRequired[PositiveDecimalInput | None]
    maxOpenedUsd24h: NotRequired[PositiveDecimalInput | None]
    maxGrossUsd: NotRequired[PositiveDecimalInput | None]
    maxLeverage: NotRequired[int | None]
    maxPositions: NotRequired[int | None]
    maxResting: NotRequired[int | None]
    maxSlippage: NotRequired[Slippage | None]
    hours: NotRequired[MandateHours | None]
    validUntil: NotRequired[str | None]
    lossStop: NotRequired[MandateProposalLossStop | None]
    approval: NotRequired[MandateApproval]
    rate: NotRequired[MandateRate]
    rights: NotRequired[MandateRights]
    runaway: NotRequired[MandateRunaway]


@final
class SaidMandate(TypedDict):
    mandate: Mandate
    sentences: list[str]


@final
class OrderBook(TypedDict):
    symbol: str
    ticker: str
    at: IsoTime
    source: Literal["VENUE", "SIMULATED"]
    bestBid: DecimalString | None
    bestAsk: DecimalString | None
    spreadBps: DecimalString | None
    bids: list[BookLevel]
    asks: list[BookLevel]


@final
class BookLevel(TypedDict):
    price: DecimalString
    quantity: DecimalString
    cumulativeUsd: DecimalString


@final
class CancelReportFailedItem(TypedDict):
    id: str
    errorCode: BusinessErrorCode
    message: str


@final
class CancelReport(TypedDict):
    cancelled: list[str]
    failed: list[CancelReportFailedItem]


BusinessErrorCode: TypeAlias = "Literal['VALIDATION_ERROR', 'RESOURCE_NOT_FOUND', 'RESOURCE_BUSY', 'NOOP_ERROR', 'SYNC_CREATE_EXECUTION_IN_FLIGHT', 'SYNC_CREATE_EXECUTION_JUST_SETTLED', 'SYNC_CREATE_FILLS_TOO_RECENT', 'SYNC_CREATE_CLOID_ALREADY_PROVISIONAL', 'DATABASE_ERROR', 'CONFIGURATION_ERROR', 'CREDENTIALS_NOT_STORED', 'NOT_IMPLEMENTED_ERROR', 'AUTO_REBALANCE_POSITION_NOT_FOUND', 'AUTO_REBALANCE_CONFIG_NOT_FOUND', 'AUTO_REBALANCE_POSITION_NOT_OPEN', 'AUTO_REBALANCE_ACTIVE_CONFIG_EXISTS', 'AUTO_REBALANCE_INVALID_LIVE_BETA_EXPOSURE', 'ACCOUNT_NOT_ARMED', 'CALLER_NOT_ALLOWED', 'CAP_EXCEEDED', 'AGENT_LIMIT']"


@final
class OrderLegsItem(TypedDict):
    symbol: str
    side: Side


@final
class Order(TypedDict):
    id: str
    symbol: str
    side: Side
    mode: Literal["USD", "BASE", "WEIGHT"]
    amount: DecimalString
    status: OrderStatus
    quantity: DecimalString | None
    filledQuantity: DecimalString
    averagePrice: DecimalString | None
    limitPrice: DecimalString | None
    reduceOnly: bool
    attempt: int
    clientOrderId: str | None
    venueOrderId: str | None
    error: str | None
    errorCode: OrderErrorCode | None
    createdAt: IsoTime
    updatedAt: IsoTime
    executionId: str
    connector: str
    tradeAccountId: str
    basketKey: str
    origin: Literal["API", "TRIGGER", "SCHEDULE", "LADDER", "REBALANCE", "BRACKET"]
    intent: Literal["OPEN", "ADJUST", "REDUCE", "CLOSE", "REVERSE"]
    positionId: str | None
    legs: list[OrderLegsItem]
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"] | None
    notional: DecimalString | None
    filledNotional: DecimalString


OrderStatus: TypeAlias = "Literal['PENDING', 'PARTIAL', 'FILLED', 'CANCELLED', 'REJECTED']"


OrderErrorCode: TypeAlias = "Literal['MIN_NOTIONAL', 'ZERO_QUANTITY', 'MIN_QUANTITY', 'MAX_QUANTITY', 'PRICE_BAND', 'INSUFFICIENT_MARGIN', 'NOT_TRADABLE', 'REDUCE_ONLY', 'PRICE_STALE', 'CREDENTIALS_MISSING', 'RISK_LIMIT', 'VENUE_REJECTED', 'SLIPPAGE_EXCEEDED', 'UNKNOWN_OUTCOME', 'NOT_SENT', 'NEEDS_REVIEW', 'UNDER_REVIEW', 'ACCOUNT_NOT_ARMED', 'CALLER_NOT_ALLOWED', 'CAP_EXCEEDED']"


@final
class PaperFault(TypedDict):
    id: str
    kind: Literal["REJECT", "PARTIAL_FILL", "FILL", "UNKNOWN_OUTCOME", "STALE_FEED"]
    symbol: str | None
    fraction: str | None
    executed: bool | None
    silentSeconds: int | None
    times: int | None
    createdAt: IsoTime
    endsAt: IsoTime


@final
class Portfolio(TypedDict):
    equity: DecimalString | None
    balance: DecimalString | None
    deposits: DecimalString | None
    unrealizedPnl: DecimalString
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    netPnl: DecimalString
    volume: DecimalString
    winCount: int
    lossCount: int
    hitRate: DecimalString | None
    profitFactor: DecimalString | None
    averageWin: DecimalString | None
    averageLoss: DecimalString | None
    buckets: list[PortfolioBucket]
    day: NotRequired[PortfolioDay | None]
    ledger: NotRequired[PortfolioLedger | None]
    holdings: NotRequired[PortfolioHoldings]


@final
class PortfolioBucket(TypedDict):
    start: IsoTime
    end: IsoTime
    pnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    volume: DecimalString
    trades: int


@final
class PortfolioDay(TypedDict):
    start: IsoTime
    pnl: DecimalString
    realizedPnl: DecimalString
    unrealizedPnl: DecimalString
    deposits: DecimalString


@final
class PortfolioLedgerSourcesItem(TypedDict):
    source: Literal["gateway", "external"]
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    unrealizedPnl: DecimalString
    pnl: DecimalString


@final
class PortfolioLedgerInstrumentsItem(TypedDict):
    symbol: str
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    unrealizedPnl: DecimalString
    pnl: DecimalString


@final
class PortfolioLedgerBasketsItem(TypedDict):
    basketKey: str
    closedPnl: DecimalString
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    unrealizedPnl: DecimalString
    pnl: DecimalString


@final
class PortfolioLedgerUnassigned(TypedDict):
    """What is in no basket"""

    closedPnl: DecimalString
    unrealizedPnl: DecimalString
    pnl: DecimalString


@final
class PortfolioLedger(TypedDict):
    """What the equity is made of, of all time and as of one moment. `pnl` of the sources, of the instruments, and of the baskets with what is in none, each add up to `pnl`, to the last digit."""

    equity: DecimalString
    deposits: DecimalString
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    unrealizedPnl: DecimalString
    pnl: DecimalString
    sources: list[PortfolioLedgerSourcesItem]
    instruments: list[PortfolioLedgerInstrumentsItem]
    baskets: list[PortfolioLedgerBasketsItem]
    unassigned: PortfolioLedgerUnassigned


@final
class PortfolioHoldings(TypedDict):
    """All that the account holds, of the records and at the marks of the moment that the figures of now are of: `unrealizedPnl` of both lists add up to `unrealizedPnl` of all sources, to the last digit. No pagination."""

    positions: list[Position]
    unassigned: list[UnassignedHolding]


@final
class Position(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    status: Literal["OPEN", "CLOSED"]
    origin: Literal["GATEWAY", "MIXED", "EXTERNAL"]
    entryRatio: DecimalString | None
    markRatio: DecimalString | None
    entryPrice: DecimalString | None
    markPrice: DecimalString | None
    grossNotional: DecimalString
    netNotional: DecimalString
    marginUsed: DecimalString
    unrealizedPnl: DecimalString
    unrealizedPnlPct: DecimalString | None
    realizedPnl: DecimalString
    feesPaid: DecimalString
    fundingPaid: DecimalString
    netPnl: DecimalString
    takeProfit: PositionBracket | None
    stopLoss: PositionBracket | None
    protection: list[Protection]
    autoRebalance: AutoRebalance | None
    legs: list[PositionLeg]
    createdAt: IsoTime
    updatedAt: IsoTime
    closedAt: IsoTime | None


@final
class PositionLeg(TypedDict):
    symbol: str
    ticker: str
    side: Side
    quantity: DecimalString
    entryPrice: DecimalString
    markPrice: DecimalString | None
    notional: DecimalString
    leverage: int
    marginMode: MarginMode
    marginUsed: DecimalString
    targetWeight: DecimalString
    currentWeight: DecimalString
    unrealizedPnl: DecimalString
    realizedPnl: DecimalString
    feesPaid: DecimalString
    fundingPaid: DecimalString
    liquidationPrice: DecimalString | None


@final
class UnassignedHolding(TypedDict):
    id: str
    connector: str
    symbol: str
    ticker: str
    source: Literal["OUTSIDE", "DUST"]
    quantity: DecimalString
    price: DecimalString
    markPrice: DecimalString | None
    unrealizedPnl: DecimalString | None
    timestamp: IsoTime


@final
class PortfolioAnalytics(TypedDict):
    risk: PortfolioRisk
    basis: Literal["MARKED", "REALIZED", "MIXED"] | None
    sampledSince: IsoTime | None
    assets: list[PortfolioAsset]
    pairs: list[PortfolioPair]
    series: NotRequired[list[PortfolioPoint]]


PortfolioRiskMaxDrawdown = TypedDict(
    "PortfolioRiskMaxDrawdown",
    {
        "value": "DecimalString | None",
        "pct": "DecimalString | None",
        "from": "str | None",
        "to": "str | None",
        "recoveredAt": "str | None",
    },
)


@final
class PortfolioRisk(TypedDict):
    sharpe: DecimalString | None
    sortino: DecimalString | None
    calmar: DecimalString | None
    volatility: DecimalString | None
    maxDrawdown: PortfolioRiskMaxDrawdown
    valueAtRisk95: DecimalString | None
    expectedShortfall95: DecimalString | None
    beta: DecimalString | None
    ulcerIndex: DecimalString | None


@final
class PortfolioAsset(TypedDict):
    symbol: str
    ticker: str
    fills: int
    volume: DecimalString
    realizedPnl: DecimalString
    fees: DecimalString
    funding: DecimalString
    pnl: DecimalString


@final
class PortfolioPair(TypedDict):
    basketKey: str
    trades: int
    pnl: DecimalString
    hitRate: DecimalString | None
    averageHoldSeconds: int


@final
class PortfolioPoint(TypedDict):
    date: str
    equity: DecimalString
    pnl: DecimalString
    unrealizedPnl: DecimalString
    deposits: DecimalString
    basis: Literal["MARKED", "REALIZED"]
    drawdown: DecimalString
    rollingSharpe: DecimalString | None
    rollingSortino: DecimalString | None
    rollingVolatility: DecimalString | None


@final
class MarginChange(TypedDict):
    positionId: str
    symbol: str
    amount: DecimalString
    marginUsed: DecimalString | None
    liquidationPrice: DecimalString | None


@final
class CloseAllReportFailuresItem(TypedDict):
    positionId: str
    errorCode: BusinessErrorCode
    message: str


@final
class CloseAllReport(TypedDict):
    executions: list[Execution]
    failures: list[CloseAllReportFailuresItem]


@final
class Execution(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    type: Literal["MARKET"]
    origin: Literal["API", "TRIGGER", "SCHEDULE", "LADDER", "REBALANCE", "BRACKET"]
    intent: Literal["OPEN", "ADJUST", "REDUCE", "CLOSE", "REVERSE"]
    status: Literal["IDLE", "ACTIVE", "COMPLETED", "CANCELLED", "FAILED"]
    error: str | None
    errorCode: ExecutionErrorCode | None
    onLegFailure: Literal["KEEP", "UNWIND", "RETRY"]
    slippage: DecimalString
    orders: list[ExecutionOrder]
    positionId: str | None
    clientId: str | None
    parentId: str | None
    authority: Authority
    createdAt: IsoTime
    activeAt: IsoTime | None
    finishedAt: IsoTime | None
    updatedAt: IsoTime


ExecutionErrorCode: TypeAlias = "Literal['MIN_NOTIONAL', 'ZERO_QUANTITY', 'MIN_QUANTITY', 'MAX_QUANTITY', 'PRICE_BAND', 'INSUFFICIENT_MARGIN', 'NOT_TRADABLE', 'REDUCE_ONLY', 'PRICE_STALE', 'CREDENTIALS_MISSING', 'RISK_LIMIT', 'VENUE_REJECTED', 'SLIPPAGE_EXCEEDED', 'UNKNOWN_OUTCOME', 'NOT_SENT', 'NEEDS_REVIEW', 'UNDER_REVIEW', 'ACCOUNT_NOT_ARMED', 'CALLER_NOT_ALLOWED', 'CAP_EXCEEDED', 'VALIDATION_ERROR', 'CONFIGURATION_ERROR', 'NOOP_ERROR', 'AGENT_LIMIT', 'CANCELLED', 'GATEWAY_RESTARTED', 'PAUSED', 'AGENT_DISCONNECTED', 'CLOSE_ONLY', 'VENUE_DOWN', 'ACCOUNT_DOWN']"
"""The first failing order's code, or why the execution as a whole ended: CANCELLED by its trader, NOOP_ERROR where nothing was left to do"""


@final
class ExecutionOrder(TypedDict):
    id: str
    symbol: str
    side: Side
    mode: Literal["USD", "BASE", "WEIGHT"]
    amount: DecimalString
    status: OrderStatus
    quantity: DecimalString | None
    filledQuantity: DecimalString
    averagePrice: DecimalString | None
    limitPrice: DecimalString | None
    reduceOnly: bool
    attempt: int
    clientOrderId: str | None
    venueOrderId: str | None
    error: str | None
    errorCode: OrderErrorCode | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class ReversePlaced(TypedDict):
    execution: Execution
    intent: Literal["OPEN", "ADJUST", "REDUCE", "CLOSE", "REVERSE"]
    position: NotRequired[Position]
    brackets: ReversalBrackets


@final
class ReversalBracketsCarriedItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class ReversalBracketsCarriedItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: ReversalBracketsCarriedItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str


@final
class ReversalBracketsDroppedItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class ReversalBracketsDroppedItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: ReversalBracketsDroppedItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str
    reason: Literal["ASKED", "ABSOLUTE_LEVEL", "OPPOSITE_POSITION_HAS_ONE"]


@final
class ReversalBrackets(TypedDict):
    carried: list[ReversalBracketsCarriedItem]
    dropped: list[ReversalBracketsDroppedItem]


@final
class AdjustPlan(TypedDict):
    open: BasketPlan | None
    close: ClosePlan | None
    position: PositionWorth
    protection: list[Protection]


@final
class BasketPlanLegsItemProblem(TypedDict):
    code: OrderErrorCode
    message: str


@final
class BasketPlanLegsItem(TypedDict):
    symbol: str
    ticker: str
    side: Side
    quantity: DecimalString
    price: DecimalString
    limitPrice: DecimalString
    notional: DecimalString
    leverage: int
    marginMode: MarginMode
    margin: DecimalString
    fee: DecimalString
    expected: ExpectedFill | None
    problem: BasketPlanLegsItemProblem | None


@final
class BasketPlan(TypedDict):
    legs: list[BasketPlanLegsItem]
    grossNotional: DecimalString
    netNotional: DecimalString
    totalFee: DecimalString
    marginRequired: DecimalString
    freeMargin: DecimalString
    netFundingHourly: DecimalString
    expectedCost: DecimalString | None
    expectedSlippage: DecimalString | None
    after: AccountAfter | None
    problems: list[PlanProblem]


@final
class ExpectedFill(TypedDict):
    """By the venue's order book of the moment, which moves before an order arrives"""

    fillable: DecimalString
    averagePrice: DecimalString | None
    slippage: DecimalString | None
    cost: DecimalString | None
    depth: DecimalString
    isPartial: bool


@final
class AccountAfter(TypedDict):
    """The account once all of it has filled at the expected prices (at mark, where no book is known), everything else unchanged; by the rules of `GET /positions/risk`, and as little a promise of the venue"""

    equity: DecimalString
    marginUsed: DecimalString
    freeMargin: DecimalString
    crossValue: DecimalString
    maintenanceMargin: DecimalString
    marginRatio: DecimalString | None
    basket: BasketDistance | None
    legs: list[LegAfter]
    unknownTiers: list[str]


@final
class BasketDistance(TypedDict):
    legMove: DecimalString | None
    ratioMove: DecimalString | None
    cause: Literal["CROSS", "ISOLATED"] | None
    firstSymbol: str | None


@final
class LegAfter(TypedDict):
    symbol: str
    quantity: DecimalString
    liquidationPrice: DecimalString | None
    reason: Literal["NOTHING_HELD", "NONE_ABOVE_ZERO", "TIERS_UNKNOWN"] | None


@final
class PlanProblem(TypedDict):
    code: OrderErrorCode
    message: str
    symbol: str | None


@final
class ClosePlanLegsItemProblem(TypedDict):
    code: OrderErrorCode
    message: str


@final
class ClosePlanLegsItem(TypedDict):
    symbol: str
    ticker: str
    side: Side
    quantity: DecimalString
    remaining: DecimalString
    markPrice: DecimalString | None
    expectedPrice: DecimalString | None
    limitPrice: DecimalString | None
    notional: DecimalString
    fee: DecimalString
    realizedPnl: DecimalString
    expected: ExpectedFill | None
    problem: ClosePlanLegsItemProblem | None


@final
class ClosePlan(TypedDict):
    positionId: str
    position: PositionWorth
    legs: list[ClosePlanLegsItem]
    expectedCost: DecimalString | None
    expectedSlippage: DecimalString | None
    grossNotional: DecimalString
    totalFee: DecimalString
    realizedPnl: DecimalString
    netPnl: DecimalString
    after: AccountAfter | None
    brackets: CloseBrackets
    protection: list[Protection]


@final
class PositionWorth(TypedDict):
    """The position as it is, at the marks that the plan is made at"""

    grossNotional: DecimalString
    unrealizedPnl: DecimalString


@final
class CloseBracketsEndedItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class CloseBracketsEndedItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: CloseBracketsEndedItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str


@final
class CloseBracketsKeptItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class CloseBracketsKeptItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: CloseBracketsKeptItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str


@final
class CloseBrackets(TypedDict):
    ended: list[CloseBracketsEndedItem]
    kept: list[CloseBracketsKeptItem]


@final
class BracketsPlan(TypedDict):
    positionId: str
    protection: list[Protection]


@final
class CloseAllPlanOrdersItem(TypedDict):
    symbol: str
    ticker: str
    side: Side
    quantity: DecimalString
    markPrice: DecimalString | None
    limitPrice: DecimalString | None
    expected: ExpectedFill | None


@final
class CloseAllPlan(TypedDict):
    positions: int
    grossNotional: DecimalString
    unrealizedPnl: DecimalString
    tradedNotional: DecimalString
    totalFee: DecimalString
    expectedCost: DecimalString | None
    expectedSlippage: DecimalString | None
    orders: list[CloseAllPlanOrdersItem]


@final
class ReversePlan(TypedDict):
    close: ClosePlan
    open: BasketPlan
    brackets: ReversalBrackets
    protection: list[Protection]


@final
class OrderPlaced(TypedDict):
    execution: Execution
    intent: Literal["OPEN", "ADJUST", "REDUCE", "CLOSE", "REVERSE"]
    position: NotRequired[Position]


RestingClose: TypeAlias = "Trigger | Schedule"


@final
class TriggerBracketTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class TriggerBracketTrailingNow(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class TriggerBracket(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: TriggerBracketTrailing | None
    slippage: DecimalString
    peak: DecimalString | None
    level: DecimalString | None
    trailingNow: TriggerBracketTrailingNow | None
    rounds: int
    nextRoundAt: IsoTime | None


@final
class Trigger(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    kind: Literal["OPEN", "CLOSE"]
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"] | None
    positionId: str | None
    ladderId: str | None
    rungIndex: int | None
    legs: list[AskedLeg]
    totalUsd: DecimalString | None
    fraction: DecimalString | None
    condition: Condition | None
    bracket: TriggerBracket | None
    window: TransformWindow | None
    priceSource: Literal["MARK", "LAST", "INDEX"]
    slippage: DecimalString
    onLegFailure: Literal["KEEP", "UNWIND", "RETRY"]
    takeProfit: AskedBracket | None
    stopLoss: AskedBracket | None
    brackets: BracketsMode
    protection: NotRequired[list[Protection]]
    onMissed: Literal["FIRE", "SKIP"]
    clientId: str | None
    authority: Authority
    expiresAt: IsoTime | None
    status: TriggerStatus
    pauseReason: Literal["USER", "FEED_STALE", "OTHER_BRACKET", "AGENT_LIMIT", "LEG_IMBALANCE"] | None
    pausedBy: Literal["USER", "AGENT"] | None
    lastValue: DecimalString | None
    lastCheckedAt: IsoTime | None
    triggeredAt: IsoTime | None
    executionId: str | None
    filled: list[FilledLeg]
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class AskedBracketTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class AskedBracket(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: AskedBracketTrailing | None
    slippage: DecimalString


@final
class Schedule(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    kind: Literal["OPEN", "CLOSE"]
    positionId: str | None
    legs: list[AskedLeg]
    fraction: DecimalString | None
    durationSeconds: int
    intervalSeconds: int
    randomize: bool
    slippage: DecimalString
    onLegFailure: Literal["KEEP", "UNWIND", "RETRY"]
    limitRatio: DecimalString | None
    missedSlicePolicy: Literal["CATCH_UP", "SKIP", "PAUSE"]
    takeProfit: AskedBracket | None
    stopLoss: AskedBracket | None
    brackets: BracketsMode
    protection: NotRequired[list[Protection]]
    afterBracket: Literal["STOP", "GO_ON"]
    reduceOnly: bool
    clientId: str | None
    authority: Authority
    status: Literal["ACTIVE", "PAUSED", "COMPLETED", "PARTIALLY_COMPLETED", "STOPPED_BY_BRACKET", "CANCELLED", "FAILED"]
    pauseReason: Literal["USER", "MISSED_SLICES", "FEED_STALE", "AGENT_LIMIT", "LEG_IMBALANCE"] | None
    pausedBy: Literal["USER", "AGENT"] | None
    totalUsd: DecimalString
    filledUsd: DecimalString
    remainingUsd: DecimalString
    filled: list[FilledLeg]
    sliceCount: int
    slicesCompleted: int
    nextSliceAt: IsoTime | None
    averageRatio: DecimalString | None
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime
    slices: list[Slice]


@final
class Slice(TypedDict):
    index: int
    scheduledAt: IsoTime
    executedAt: IsoTime | None
    status: Literal["PENDING", "EXECUTING", "COMPLETED", "FAILED", "SKIPPED", "CANCELLED"]
    executionId: str | None
    filledUsd: DecimalString
    error: str | None


@final
class PositionLiteLegsItem(TypedDict):
    symbol: str
    side: Side
    quantity: DecimalString


@final
class PositionLite(TypedDict):
    id: str
    connector: str
    basketKey: str
    legs: list[PositionLiteLegsItem]


@final
class PlanAnswer(TypedDict):
    plan: BasketPlan
    brackets: NotRequired[OpeningBrackets]
    protection: list[Protection]


@final
class OpeningBracketsKeptItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class OpeningBracketsKeptItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: OpeningBracketsKeptItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str


@final
class OpeningBracketsReplacedItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class OpeningBracketsReplacedItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: OpeningBracketsReplacedItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]
    triggerId: str


@final
class OpeningBracketsSetItemTrailing(TypedDict):
    delta: DecimalString
    activation: DecimalString | None


@final
class OpeningBracketsSetItem(TypedDict):
    type: Literal["PERCENTAGE", "DOLLAR", "POSITION_VALUE", "PRICE", "PRICE_RATIO", "WEIGHTED_RATIO"]
    value: DecimalString
    transform: NotRequired[Literal["Z_SCORE", "SPREAD"]]
    lookback: NotRequired[int]
    trailing: OpeningBracketsSetItemTrailing | None
    slippage: DecimalString
    bracketType: Literal["TAKE_PROFIT", "STOP_LOSS"]


@final
class OpeningBrackets(TypedDict):
    kept: list[OpeningBracketsKeptItem]
    replaced: list[OpeningBracketsReplacedItem]
    set: list[OpeningBracketsSetItem]


@final
class OpenPlaced(TypedDict):
    execution: Execution
    intent: Literal["OPEN", "ADJUST", "REDUCE", "CLOSE", "REVERSE"]
    position: NotRequired[Position]
    brackets: NotRequired[OpeningBrackets]


@final
class RebalancePlanLegsItem(TypedDict):
    symbol: str
    ticker: str
    side: Side
    currentWeight: DecimalString
    targetWeight: DecimalString
    deltaUsd: DecimalString
    deltaQuantity: DecimalString
    skipped: bool
    skipReason: str | None


@final
class RebalancePlan(TypedDict):
    positionId: str
    mode: Literal["TARGET_WEIGHTS", "LIVE_BETA"]
    beta: DecimalString | None
    drift: DecimalString
    legs: list[RebalancePlanLegsItem]
    protection: list[Protection]


@final
class Safety(TypedDict):
    """Of all of the user's trade accounts"""

    paused: bool
    reason: Literal["PAUSE", "PANIC"] | None
    pausedAt: IsoTime | None
    panic: PanicState | None


@final
class PanicState(TypedDict):
    status: Literal["CLOSING", "FLAT", "ENDED"]
    startedAt: IsoTime
    finishedAt: IsoTime | None
    includeOutside: bool
    left: list[LeftOpen]


@final
class LeftOpen(TypedDict):
    tradeAccountId: str
    connector: str
    source: Literal["BASKET", "DUST", "OUTSIDE", "UNEXPLAINED"]
    positionId: str | None
    symbol: str
    quantity: DecimalString
    reason: str


@final
class PanicReportCancelled(TypedDict):
    triggers: int
    schedules: int
    ladders: int
    orders: int
    autoRebalances: int


@final
class PanicReportFailuresItem(TypedDict):
    tradeAccountId: str
    kind: Literal["POSITION", "ORDER", "TRIGGER", "SCHEDULE", "LADDER", "AUTO_REBALANCE"]
    id: str
    errorCode: BusinessErrorCode
    message: str


@final
class PanicReportAccountsItemCancelled(TypedDict):
    triggers: int
    schedules: int
    ladders: int
    orders: int
    autoRebalances: int


@final
class PanicReportAccountsItem(TypedDict):
    tradeAccountId: str
    alias: str
    connector: str
    mode: Literal["PAPER", "LIVE"]
    network: Literal["mainnet", "testnet"] | None
    cancelled: PanicReportAccountsItemCancelled
    closing: int
    failed: int


@final
class PanicReport(TypedDict):
    safety: Safety
    cancelled: PanicReportCancelled
    executions: list[Execution]
    failures: list[PanicReportFailuresItem]
    accounts: list[PanicReportAccountsItem]


@final
class PanicPlanAccountsItemShortBooksItem(TypedDict):
    symbol: str
    ticker: str
    isPartial: bool


@final
class PanicPlanAccountsItem(TypedDict):
    tradeAccountId: str
    positions: int
    grossNotional: DecimalString
    unrealizedPnl: DecimalString
    tradedNotional: DecimalString
    totalFee: DecimalString
    expectedCost: DecimalString | None
    expectedSlippage: DecimalString | None
    shortBooks: list[PanicPlanAccountsItemShortBooksItem]


@final
class PanicPlan(TypedDict):
    accounts: list[PanicPlanAccountsItem]


@final
class SavedBasket(TypedDict):
    id: str
    name: str
    legs: list[SavedBasketLeg]
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class ScheduleSummary(TypedDict):
    id: str
    connector: str
    tradeAccountId: str
    basketKey: str
    kind: Literal["OPEN", "CLOSE"]
    positionId: str | None
    legs: list[AskedLeg]
    fraction: DecimalString | None
    durationSeconds: int
    intervalSeconds: int
    randomize: bool
    slippage: DecimalString
    onLegFailure: Literal["KEEP", "UNWIND", "RETRY"]
    limitRatio: DecimalString | None
    missedSlicePolicy: Literal["CATCH_UP", "SKIP", "PAUSE"]
    takeProfit: AskedBracket | None
    stopLoss: AskedBracket | None
    brackets: BracketsMode
    protection: NotRequired[list[Protection]]
    afterBracket: Literal["STOP", "GO_ON"]
    reduceOnly: bool
    clientId: str | None
    authority: Authority
    status: Literal["ACTIVE", "PAUSED", "COMPLETED", "PARTIALLY_COMPLETED", "STOPPED_BY_BRACKET", "CANCELLED", "FAILED"]
    pauseReason: Literal["USER", "MISSED_SLICES", "FEED_STALE", "AGENT_LIMIT", "LEG_IMBALANCE"] | None
    pausedBy: Literal["USER", "AGENT"] | None
    totalUsd: DecimalString
    filledUsd: DecimalString
    remainingUsd: DecimalString
    filled: list[FilledLeg]
    sliceCount: int
    slicesCompleted: int
    nextSliceAt: IsoTime | None
    averageRatio: DecimalString | None
    error: str | None
    createdAt: IsoTime
    updatedAt: IsoTime


@final
class ScreenerProgress(TypedDict):
    done: int
    total: int


@final
class Screener(TypedDict):
    connector: str
    asOf: IsoTime | None
    computedAt: IsoTime | None
    progress: ScreenerProgress | None
    error: str | None
    lookbackHours: int
    instruments: int
    limit: int
    offset: int
    count: int
    cointegrated: int
    pairs: list[ScreenedPair]


@final
class ScreenedPairFirst(TypedDict):
    id: str
    symbol: str


@final
class ScreenedPairSecond(TypedDict):
    """Sorts after `first` by its ID: each pair stands here once"""

    id: str
    symbol: str


@final
class ScreenedPair(TypedDict):
    """A figure is null where the data does not define it: fewer than 30 common hours, a price that stood still."""

    first: ScreenedPairFirst
    second: ScreenedPairSecond
    observations: int
    correlation: DecimalString | None
    hedgeRatio: DecimalString | None
    zScore: DecimalString | None
    halfLifeHours: DecimalString | None
    statistic: DecimalString | None
    pValue: DecimalString | None
    direction: Literal["LONG_FIRST", "SHORT_FIRST"] | None
    carryApr: DecimalString | None
    volume24h: DecimalString | None
    sparkline: list[DecimalString]


@final
class AccountDifferences(TypedDict):
    tradeAccountId: str
    checkedAt: IsoTime | None
    differences: list[AccountDifference]


@final
class AccountDifference(TypedDict):
    symbol: str
    ticker: str
    baskets: DecimalString
    unassigned: DecimalString
    outside: DecimalString
    venue: DecimalString | None


@final
class ProvisionalFill(TypedDict):
    id: str
    symbol: str
    side: Side
    price: DecimalString
    quantity: DecimalString
    cloid: str | None
    timestamp: IsoTime


@final
class FillReviewKnown(TypedDict):
    """The trade that this id stood for before"""

    symbol: str
    side: Side
    price: DecimalString
    quantity: DecimalString
    timestamp: IsoTime


@final
class FillReview(TypedDict):
    id: str
    code: Literal["VENUE_HISTORY_LOST"]
    connector: str
    tradeId: str
    recordedAs: str
    executionId: str | None
    symbol: str
    side: Side
    price: DecimalString
    quantity: DecimalString
    timestamp: IsoTime
    known: FillReviewKnown
    createdAt: IsoTime


@final
class PaperOutsideOrderOutcomeFillsItem(TypedDict):
    tradeId: str
    price: DecimalString
    quantity: DecimalString
    fee: DecimalString
    timestamp: IsoTime


@final
class PaperOutsideOrderOutcome(TypedDict):
    cloid: str
    venueOrderId: str
    status: Literal["filled", "cancelled"]
    filledQuantity: DecimalString
    fills: list[PaperOutsideOrderOutcomeFillsItem]


@final
class SyncPositionPlanLegsItem(TypedDict):
    symbol: str
    ticker: str
    side: Side
    before: DecimalString
    after: DecimalString
    entryPrice: DecimalString


@final
class SyncPositionPlan(TypedDict):
    positionId: str | None
    status: Literal["OPEN", "CLOSED"]
    fills: int
    legs: list[SyncPositionPlanLegsItem]
    realizedPnl: DecimalString
    fees: DecimalString


@final
class SyncReport(TypedDict):
    openOrders: int
    venuePositions: int
    baskets: int
    provisionalFills: int
    differences: list[SyncDifference] | None


@final
class SyncDifference(TypedDict):
    symbol: str
    baskets: DecimalString
    unassigned: DecimalString
    venue: DecimalString


@final
class SyncCreateExecutionInFlightError(TypedDict):
    """A refusal with errorCode SYNC_CREATE_EXECUTION_IN_FLIGHT"""

    message: str
    errorCode: Literal["SYNC_CREATE_EXECUTION_IN_FLIGHT"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class SyncCreateExecutionJustSettledError(TypedDict):
    """A refusal with errorCode SYNC_CREATE_EXECUTION_JUST_SETTLED"""

    message: str
    errorCode: Literal["SYNC_CREATE_EXECUTION_JUST_SETTLED"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class SyncCreateFillsTooRecentError(TypedDict):
    """A refusal with errorCode SYNC_CREATE_FILLS_TOO_RECENT"""

    message: str
    errorCode: Literal["SYNC_CREATE_FILLS_TOO_RECENT"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class SyncCreateCloidAlreadyProvisionalError(TypedDict):
    """A refusal with errorCode SYNC_CREATE_CLOID_ALREADY_PROVISIONAL"""

    message: str
    errorCode: Literal["SYNC_CREATE_CLOID_ALREADY_PROVISIONAL"]
    details: list[ValidationDetail] | dict[str, Any]
    timestamp: IsoTime


@final
class Health(TypedDict):
    status: Literal["ok"]
    mode: NotRequired[Literal["LIVE", "TESTNET", "PAPER", "MIXED"]]
    money: NotRequired[list[Literal["LIVE", "TESTNET", "PAPER"]]]


@final
class Readiness(TypedDict):
    ready: bool
    checks: list[ReadinessCheck]


@final
class ReadinessCheck(TypedDict):
    name: str
    ok: bool
    detail: str | None


@final
class Version(TypedDict):
    name: Literal["tandem-gateway"]
    version: str
    apiVersion: str
    uptimeMs: int


@final
class StoredCredentials(TypedDict):
    connector: str
    exchangeIdentifier: str
    credentials: VenueCredentials


@final
class LeverageSetting(TypedDict):
    symbol: str
    leverage: int
    marginMode: MarginMode
    updatedAt: IsoTime


@final
class Empty(TypedDict):
    pass


@final
class VenueCheckStepsItem(TypedDict):
    name: str
    ok: bool
    detail: str
    remedy: str | None


@final
class VenueCheckProven(TypedDict):
    at: IsoTime
    version: str
    network: Literal["mainnet", "testnet"]
    override: str | None


@final
class VenueCheckTranscriptItem(TypedDict):
    question: str
    answer: str


@final
class VenueCheck(TypedDict):
    connector: str
    network: Literal["mainnet", "testnet"]
    override: str | None
    tradeAccountId: str | None
    at: IsoTime
    version: str
    ok: bool
    steps: list[VenueCheckStepsItem]
    proven: VenueCheckProven | None
    transcript: NotRequired[list[VenueCheckTranscriptItem]]


@final
class WalletApprovalTermsItem(TypedDict):
    name: str
    value: str


@final
class WalletApproval(TypedDict):
    id: str
    typedData: NotRequired[Any]
    message: NotRequired[str]
    terms: list[WalletApprovalTermsItem]
    expiresAt: IsoTime


@final
class WebhookLastAttempt(TypedDict):
    at: IsoTime
    status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]
    responseStatus: int | None
    error: str | None


@final
class Webhook(TypedDict):
    id: str
    name: str
    tradeAccountIds: list[str] | None
    enabled: bool
    waiting: int
    skipped: int
    lastAttempt: WebhookLastAttempt | None
    createdAt: IsoTime
    updatedAt: IsoTime
    url: str
    events: list[Literal["execution.completed", "execution.failed", "position.created", "position.updated", "position.closed", "order.updated", "trigger.created", "trigger.updated", "trigger.completed", "trigger.failed", "trigger.cancelled", "schedule.created", "schedule.updated", "schedule.completed", "schedule.failed", "schedule.cancelled", "ladder.created", "ladder.updated", "ladder.completed", "ladder.failed", "ladder.cancelled", "alert.created", "alert.updated", "alert.completed", "alert.cancelled", "approval.created", "approval.updated", "notification.created", "panic.updated", "agent.updated", "*"]]


@final
class CreatedWebhookLastAttempt(TypedDict):
    at: IsoTime
    status: Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]
    responseStatus: int | None
    error: str | None


@final
class CreatedWebhook(TypedDict):
    id: str
    name: str
    tradeAccountIds: list[str] | None
    enabled: bool
    waiting: int
    skipped: int
    lastAttempt: CreatedWebhookLastAttempt | None
    createdAt: IsoTime
    updatedAt: IsoTime
    url: str
    events: list[Literal["execution.completed", "execution.failed", "position.created", "position.updated", "position.closed", "order.updated", "trigger.created", "trigger.updated", "trigger.completed", "trigger.failed", "trigger.cancelled", "schedule.created", "schedule.updated", "schedule.completed", "schedule.failed", "schedule.cancelled", "ladder.created", "ladder.updated", "ladder.completed", "ladder.failed", "ladder.cancelled", "alert.created", "alert.updated", "alert.completed", "alert.cancelled", "approval.created", "approval.updated", "notification.created", "panic.updated", "agent.updated", "*"]]
    secret: str


@final
class RotatedSecret(TypedDict):
    id: str
    secret: str
    previousUntil: IsoTime


@final
class PutTradeAccountsByIdArmingParams(TypedDict):
    id: str


@final
class DeleteTradeAccountsByIdArmingParams(TypedDict):
    id: str


@final
class GetTradeAccountsByIdArmingParams(TypedDict):
    id: str


@final
class PutAgentsByIdMandateParams(TypedDict):
    id: str


@final
class GetAgentsAnswer(TypedDict):
    agents: list[Agent]
    house: HouseLimitsKept


@final
class GetAgentsByIdRefusedParams(TypedDict):
    id: str


@final
class GetAgentsByIdRefusedAnswer(TypedDict):
    refused: list[RefusedAttempt]


@final
class PostAgentsPauseAllAnswer(TypedDict):
    suspended: list[str]


@final
class GetAgentsMeAnswer(TypedDict):
    mandate: KeptMandate | None
    suspended: Suspension | None
    usage: MandateUsage | None
    house: HouseLimits | None


@final
class PostAgentsByIdResumeParams(TypedDict):
    id: str


@final
class PostAgentsByIdSuspendParams(TypedDict):
    id: str


@final
class PostAgentsByIdSuspendBody(TypedDict):
    reason: NotRequired[str]


@final
class PostAlertsByIdCancelParams(TypedDict):
    id: str


@final
class PatchAlertsByIdParams(TypedDict):
    id: str


@final
class GetAlertsByIdParams(TypedDict):
    id: str


@final
class GetAlertsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["ACTIVE", "PAUSED", "COMPLETED", "CANCELLED", "EXPIRED"]]]


@final
class GetAlertsAnswer(TypedDict):
    alerts: list[Alert]
    nextCursor: NotRequired[str]


@final
class PostApiKeysBody(TypedDict):
    label: str
    scope: Literal["read", "read_write"]
    expiresAt: NotRequired[str | None]
    tradeAccountIds: NotRequired[list[str] | None]
    mandate: NotRequired[Mandate]


@final
class GetApiKeysAnswer(TypedDict):
    apiKeys: list[ApiKey]


@final
class DeleteApiKeysByIdParams(TypedDict):
    id: str


@final
class PostApprovalsByIdApproveParams(TypedDict):
    id: str


@final
class PostApprovalsByIdDenyParams(TypedDict):
    id: str


@final
class GetApprovalsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]


@final
class GetApprovalsAnswer(TypedDict):
    approvals: list[Approval]
    waiting: int
    nextCursor: NotRequired[str]


@final
class GetApprovalsByIdParams(TypedDict):
    id: str


@final
class GetApprovalsMineByIdParams(TypedDict):
    id: str


@final
class DeleteApprovalsMineByIdParams(TypedDict):
    id: str


@final
class GetAuditLogQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]


@final
class GetAuditLogAnswer(TypedDict):
    auditEntries: list[AuditEntry]
    nextCursor: NotRequired[str]


@final
class DeleteAuthSessionsByIdParams(TypedDict):
    id: str


@final
class GetAuthSessionsAnswer(TypedDict):
    sessions: list[Session]


@final
class PostAuthNonceBody(TypedDict):
    address: str


@final
class PostAuthPasswordBody(TypedDict):
    current: str
    next: str


@final
class PostAuthSessionRefreshBody(TypedDict):
    refreshToken: NotRequired[str]


@final
class PostAuthRegisterBody(TypedDict):
    email: str
    password: str
    displayName: NotRequired[str]
    setupCode: NotRequired[str]


@final
class DeletePositionsByIdAutoRebalanceParams(TypedDict):
    id: str


@final
class GetPositionsByIdAutoRebalanceParams(TypedDict):
    id: str


@final
class PutPositionsByIdAutoRebalanceParams(TypedDict):
    id: str


@final
class PostPositionsByIdAutoRebalancePauseParams(TypedDict):
    id: str


@final
class PostPositionsByIdAutoRebalanceResumeParams(TypedDict):
    id: str


@final
class GetAnalyticsWeightsQuery(TypedDict):
    connector: str
    long: NotRequired[list[str]]
    short: NotRequired[list[str]]
    lookback: NotRequired[Literal["24h", "7d", "30d", "90d"]]


@final
class GetAnalyticsPairSummaryQuery(TypedDict):
    connector: str
    long: str
    short: str
    lookback: NotRequired[Literal["24h", "7d", "30d", "90d"]]


@final
class GetAnalyticsFundingQuery(TypedDict):
    connector: str
    long: NotRequired[list[str]]
    short: NotRequired[list[str]]
    weights: NotRequired[list[str]]


@final
class GetMarketsBasketsQuery(TypedDict):
    connector: str
    scope: NotRequired[Literal["tradable", "all", "reduce_only", "not_tradable"]]
    search: NotRequired[str]
    pairs: NotRequired[Literal["ORDERED", "UNORDERED"]]
    limit: NotRequired[int | str]
    offset: NotRequired[int | str]


@final
class PutPositionsByIdBracketsParams(TypedDict):
    id: str


@final
class GetAnalyticsPairQuery(TypedDict):
    connector: str
    long: str
    short: str
    lookback: NotRequired[Literal["24h", "7d", "30d", "90d"]]


GetCandlesBasketQuery = TypedDict(
    "GetCandlesBasketQuery",
    {
        "connector": "str",
        "long": "NotRequired[list[str]]",
        "short": "NotRequired[list[str]]",
        "weights": "NotRequired[list[str]]",
        "metric": "NotRequired[Literal[\"PRICE_RATIO\", \"WEIGHTED_RATIO\"]]",
        "interval": "CandleInterval",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


GetCandlesQuery = TypedDict(
    "GetCandlesQuery",
    {
        "connector": "str",
        "symbol": "str",
        "interval": "CandleInterval",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
    },
)


@final
class PostAuthLinkBody(TypedDict):
    ticket: str


@final
class PostMiscExchangeChangeAccountTierBody(TypedDict):
    accountIndex: NotRequired[int]
    walletAddress: NotRequired[str]
    apiKeyIndex: NotRequired[int]
    apiPrivateKey: NotRequired[str]
    tier: Literal["standard", "plus", "premium"]


@final
class PostMiscExchangeChangeAccountTierAnswer(TypedDict):
    tier: Literal["standard", "plus", "premium"]
    changedAt: IsoTime
    nextChangeAt: IsoTime


@final
class PostMiscExchangeChangePubKeyBody(TypedDict):
    txInfo: str
    signature: str
    alias: NotRequired[str]
    programsReadCredentials: NotRequired[bool]


@final
class PostMiscExchangeChangePubKeyAnswer(TypedDict):
    txHash: str
    accountIndex: int
    apiKeyIndex: int
    publicKey: str
    tradeAccountId: NotRequired[str]


@final
class PostMiscExchangeCreateApiKeyBody(TypedDict):
    walletAddress: NotRequired[str]
    accountIndex: NotRequired[int]
    apiKeyIndex: NotRequired[int]
    keep: NotRequired[bool]


@final
class PostMiscExchangeCreateApiKeyAnswer(TypedDict):
    accountIndex: int
    apiKeyIndex: int
    publicKey: str
    privateKey: NotRequired[str]
    txInfo: str
    nonce: int
    expiresAt: IsoTime
    messageToSign: str


@final
class PostMiscExchangeCreateAuthTokenBody(TypedDict):
    accountIndex: NotRequired[int]
    walletAddress: NotRequired[str]
    apiKeyIndex: NotRequired[int]
    apiPrivateKey: NotRequired[str]
    deadline: NotRequired[str]


@final
class PostMiscExchangeCreateAuthTokenAnswer(TypedDict):
    token: str
    expiresAt: IsoTime


@final
class PostMiscExchangeUdaBody(TypedDict):
    walletAddress: str
    market: NotRequired[str]
    asset: NotRequired[str]


@final
class PostMiscExchangeUdaAnswerAddressesItem(TypedDict):
    chainFamily: str
    address: str


@final
class PostMiscExchangeUdaAnswer(TypedDict):
    walletAddress: str
    addresses: list[PostMiscExchangeUdaAnswerAddressesItem]


@final
class GetMiscExchangeUdaByWalletAddressParams(TypedDict):
    walletAddress: str


@final
class GetMiscExchangeUdaByWalletAddressAnswerDepositsItem(TypedDict):
    depositAddress: str
    fromChainId: str
    fromAmount: DecimalString
    txHash: str
    status: str
    createdAt: IsoTime


@final
class GetMiscExchangeUdaByWalletAddressAnswer(TypedDict):
    walletAddress: str
    deposits: list[GetMiscExchangeUdaByWalletAddressAnswerDepositsItem]


@final
class PostMiscExchangePrepareApproveIntegratorBody(TypedDict):
    accountIndex: NotRequired[int]
    walletAddress: NotRequired[str]
    apiKeyIndex: NotRequired[int]
    apiPrivateKey: NotRequired[str]
    approvalExpiry: NotRequired[str]


@final
class PostMiscExchangePrepareApproveIntegratorAnswer(TypedDict):
    txInfo: str
    messageToSign: str
    expiresAt: IsoTime


@final
class PostMiscExchangePrepareFastWithdrawBody(TypedDict):
    accountIndex: NotRequired[int]
    walletAddress: NotRequired[str]
    apiKeyIndex: NotRequired[int]
    apiPrivateKey: NotRequired[str]
    amount: PositiveDecimalInput
    toAddress: NotRequired[str]


@final
class PostMiscExchangePrepareFastWithdrawAnswer(TypedDict):
    poolAccountIndex: int
    amount: DecimalString
    fee: DecimalString
    toAddress: str
    txInfo: str
    messageToSign: str


@final
class PostMiscExchangeSubmitApproveIntegratorBody(TypedDict):
    txInfo: str
    signature: str


@final
class PostMiscExchangeSubmitApproveIntegratorAnswer(TypedDict):
    txHash: str


@final
class PostMiscExchangeSubmitFastWithdrawBody(TypedDict):
    txInfo: str
    signature: str
    toAddress: str
    amount: NotRequired[PositiveDecimalInput]
    apiPrivateKey: NotRequired[str]


@final
class PostMiscExchangeSubmitFastWithdrawAnswer(TypedDict):
    txHash: str
    status: str


@final
class GetFeeQuery(TypedDict):
    connector: str
    legs: NotRequired[str]
    notional: NotRequired[PositiveDecimalInput]
    totalUsd: NotRequired[PositiveDecimalInput]
    tradeAccountId: NotRequired[str]


@final
class GetPositionsClosedQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    startDate: NotRequired[str]
    endDate: NotRequired[str]
    includeSteps: NotRequired[bool]


@final
class GetPositionsClosedAnswer(TypedDict):
    positions: list[ClosedTrade]
    nextCursor: NotRequired[str]


@final
class GetFundingPaymentsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    startDate: NotRequired[str]
    endDate: NotRequired[str]


@final
class GetFundingPaymentsAnswer(TypedDict):
    payments: list[FundingPayment]
    total: DecimalString
    nextCursor: NotRequired[str]


@final
class GetFillsByPositionIdParams(TypedDict):
    positionId: str


@final
class GetFillsByPositionIdQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]


@final
class GetFillsByPositionIdAnswer(TypedDict):
    fills: list[Fill]
    nextCursor: NotRequired[str]


@final
class PatchIntegrationsByIdParams(TypedDict):
    id: str


@final
class GetIntegrationsAnswer(TypedDict):
    integrations: list[Integration]


@final
class PostLaddersByLadderIdCancelParams(TypedDict):
    ladderId: str


@final
class GetLaddersQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]


@final
class GetLaddersAnswer(TypedDict):
    ladders: list[Ladder]
    nextCursor: NotRequired[str]


@final
class GetLaddersByLadderIdParams(TypedDict):
    ladderId: str


@final
class GetFeedsQuery(TypedDict):
    connector: str


@final
class GetInstrumentsSymbolToIdMapQuery(TypedDict):
    connector: str
    scope: NotRequired[Literal["tradable", "all", "reduce_only", "not_tradable"]]


@final
class GetFundingQuery(TypedDict):
    connector: str


@final
class GetInstrumentsQuery(TypedDict):
    connector: str
    scope: NotRequired[Literal["tradable", "all", "reduce_only", "not_tradable"]]


@final
class GetInstrumentsLiteQuery(TypedDict):
    connector: str
    scope: NotRequired[Literal["tradable", "all", "reduce_only", "not_tradable"]]


@final
class GetMarketsQuery(TypedDict):
    connector: str
    scope: NotRequired[Literal["tradable", "all", "reduce_only", "not_tradable"]]
    search: NotRequired[str]
    limit: NotRequired[int | str]
    offset: NotRequired[int | str]


@final
class GetPricesQuery(TypedDict):
    connector: str


@final
class PatchNotificationChannelsByIdParams(TypedDict):
    id: str


@final
class PatchNotificationChannelsByIdBody(TypedDict):
    name: NotRequired[str]
    kinds: NotRequired[list[MessageKind]]
    tradeAccountIds: NotRequired[list[str] | None]
    enabled: NotRequired[bool]


@final
class DeleteNotificationChannelsByIdParams(TypedDict):
    id: str


@final
class PostNotificationChannelsBodyTo(TypedDict):
    service: Literal["NTFY"]
    server: NotRequired[str]
    topic: str
    token: NotRequired[str]


@final
class PostNotificationChannelsBodyTo2(TypedDict):
    service: Literal["TELEGRAM"]
    server: NotRequired[str]
    token: str
    chatId: str


@final
class PostNotificationChannelsBodyTo3(TypedDict):
    service: Literal["DISCORD"]
    webhookUrl: str


@final
class PostNotificationChannelsBody(TypedDict):
    name: NotRequired[str]
    to: PostNotificationChannelsBodyTo | PostNotificationChannelsBodyTo2 | PostNotificationChannelsBodyTo3
    kinds: list[MessageKind]
    tradeAccountIds: NotRequired[list[str] | None]
    enabled: NotRequired[bool]


@final
class GetNotificationChannelsAnswer(TypedDict):
    notificationChannels: list[NotificationChannel]


@final
class GetNotificationChannelsByIdDeliveriesParams(TypedDict):
    id: str


@final
class GetNotificationChannelsByIdDeliveriesQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    status: NotRequired[list[Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]]]


@final
class GetNotificationChannelsByIdDeliveriesAnswer(TypedDict):
    deliveries: list[Delivery]
    nextCursor: NotRequired[str]


@final
class PostNotificationChannelsByIdTestParams(TypedDict):
    id: str


@final
class GetNotificationsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    startDate: NotRequired[str]
    endDate: NotRequired[str]
    scope: NotRequired[Literal["all", "read", "unread"]]


@final
class GetNotificationsAnswer(TypedDict):
    notifications: list[Notification]
    nextCursor: NotRequired[str]


@final
class PostNotificationsReadAnswer(TypedDict):
    updated: int


@final
class PostNotificationsUnreadBody(TypedDict):
    id: str


@final
class PostNotificationsUnreadAnswer(TypedDict):
    updated: int


@final
class PostInteractionByUidAbortParams(TypedDict):
    uid: str


@final
class PostInteractionByUidConfirmParams(TypedDict):
    uid: str


@final
class PostInteractionByUidConfirmBody(TypedDict):
    scopes: list[str]
    mandate: NotRequired[Mandate]
    asProposed: NotRequired[Literal[True]]
    replaces: NotRequired[str]
    continueBudget: NotRequired[bool]


@final
class GetOauth2GrantsByIdWaitingParams(TypedDict):
    id: str


@final
class GetOauth2GrantsAnswer(TypedDict):
    grants: list[OAuthGrant]


@final
class PostInteractionByUidLoginParams(TypedDict):
    uid: str


@final
class GetInteractionByUidParams(TypedDict):
    uid: str


@final
class GetInteractionByUidTermsParams(TypedDict):
    uid: str


@final
class PostInteractionByUidTermsParams(TypedDict):
    uid: str


@final
class PostInteractionByUidTermsBody(TypedDict):
    mandate: Mandate
    asProposed: NotRequired[Literal[True]]


@final
class DeleteOauth2GrantsByIdParams(TypedDict):
    id: str


@final
class DeleteOauth2GrantsByIdQuery(TypedDict):
    leftWaiting: NotRequired[Literal["cancel", "keep"]]


@final
class GetBooksQuery(TypedDict):
    connector: str
    symbols: list[str]
    levels: NotRequired[int | str]


@final
class GetBooksAnswer(TypedDict):
    books: list[OrderBook]
    unknown: list[str]


@final
class PostOrdersByIdCancelParams(TypedDict):
    id: str


@final
class GetOrdersByIdParams(TypedDict):
    id: str


@final
class GetOrdersQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["PENDING", "PARTIAL", "FILLED", "CANCELLED", "REJECTED"]]]


@final
class GetOrdersAnswer(TypedDict):
    orders: list[Order]
    nextCursor: NotRequired[str]


@final
class DeleteTradeAccountsByIdPaperFaultsByFaultIdParams(TypedDict):
    id: str
    faultId: str


@final
class DeleteTradeAccountsByIdPaperFaultsParams(TypedDict):
    id: str


@final
class DeleteTradeAccountsByIdPaperFaultsAnswer(TypedDict):
    ended: int


@final
class GetTradeAccountsByIdPaperFaultsParams(TypedDict):
    id: str


@final
class GetTradeAccountsByIdPaperFaultsAnswer(TypedDict):
    paperFaults: list[PaperFault]


@final
class PostTradeAccountsByIdPaperFaultsParams(TypedDict):
    id: str


@final
class PostTradeAccountsByIdPaperFaultsBody(TypedDict):
    kind: Literal["REJECT"]
    symbol: NotRequired[str]
    times: NotRequired[int]
    seconds: NotRequired[int]


@final
class PostTradeAccountsByIdPaperFaultsBody2(TypedDict):
    kind: Literal["PARTIAL_FILL"]
    fraction: PositiveDecimalInput
    symbol: NotRequired[str]
    times: NotRequired[int]
    seconds: NotRequired[int]


@final
class PostTradeAccountsByIdPaperFaultsBody3(TypedDict):
    kind: Literal["FILL"]
    symbol: NotRequired[str]
    times: NotRequired[int]
    seconds: NotRequired[int]


@final
class PostTradeAccountsByIdPaperFaultsBody4(TypedDict):
    kind: Literal["UNKNOWN_OUTCOME"]
    executed: NotRequired[bool]
    silentSeconds: NotRequired[int]
    symbol: NotRequired[str]
    times: NotRequired[int]
    seconds: NotRequired[int]


@final
class PostTradeAccountsByIdPaperFaultsBody5(TypedDict):
    kind: Literal["STALE_FEED"]
    symbol: NotRequired[str]
    seconds: NotRequired[int]


@final
class GetPortfolioQuery(TypedDict):
    startDate: NotRequired[str]
    endDate: NotRequired[str]
    source: NotRequired[Literal["all", "gateway", "external"]]
    includeLedger: NotRequired[bool]
    includeDay: NotRequired[bool]
    includeHoldings: NotRequired[bool]


@final
class GetPortfolioAnalyticsQuery(TypedDict):
    startDate: NotRequired[str]
    endDate: NotRequired[str]
    interval: NotRequired[Literal["1d", "1w"]]
    rollingWindowDays: NotRequired[int | str]
    includeSeries: NotRequired[bool]
    source: NotRequired[Literal["all", "gateway", "external"]]


@final
class PostPositionsByIdMarginParams(TypedDict):
    id: str


@final
class PostPositionsByIdReverseParams(TypedDict):
    id: str


@final
class PostPositionsByIdAdjustPlanParams(TypedDict):
    id: str


@final
class PostPositionsByIdBracketsPlanParams(TypedDict):
    id: str


@final
class PostPositionsByIdClosePlanParams(TypedDict):
    id: str


@final
class PostPositionsByIdReversePlanParams(TypedDict):
    id: str


@final
class PostPositionsByIdAdjustParams(TypedDict):
    id: str


@final
class PostPositionsByIdCloseParams(TypedDict):
    id: str


@final
class GetPositionsByIdParams(TypedDict):
    id: str


@final
class GetPositionsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["OPEN", "CLOSED"]]]
    orderBy: NotRequired[Literal["createdAt", "-createdAt", "updatedAt", "-updatedAt"]]


@final
class GetPositionsAnswer(TypedDict):
    positions: list[Position]
    nextCursor: NotRequired[str]


@final
class GetPositionsLiteAnswer(TypedDict):
    positions: list[PositionLite]


@final
class PostPositionsByIdRebalancePlanParams(TypedDict):
    id: str


@final
class PostPositionsByIdRebalanceParams(TypedDict):
    id: str


@final
class GetSafetyPanicPlanQuery(TypedDict):
    includeExpected: NotRequired[bool]


@final
class PatchSavedBasketsByIdParams(TypedDict):
    id: str


@final
class DeleteSavedBasketsByIdParams(TypedDict):
    id: str


@final
class GetSavedBasketsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]


@final
class GetSavedBasketsAnswer(TypedDict):
    savedBaskets: list[SavedBasket]
    nextCursor: NotRequired[str]


@final
class PostSchedulesByIdCancelParams(TypedDict):
    id: str


@final
class GetSchedulesQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["ACTIVE", "PAUSED", "COMPLETED", "PARTIALLY_COMPLETED", "STOPPED_BY_BRACKET", "CANCELLED", "FAILED"]]]


@final
class GetSchedulesAnswer(TypedDict):
    schedules: list[ScheduleSummary]
    nextCursor: NotRequired[str]


@final
class GetSchedulesByIdParams(TypedDict):
    id: str


@final
class PostSchedulesByIdPauseParams(TypedDict):
    id: str


@final
class PostSchedulesByIdResumeParams(TypedDict):
    id: str


@final
class GetAnalyticsScreenerQuery(TypedDict):
    connector: str
    search: NotRequired[str]
    maxPValue: NotRequired[str]
    minAbsZScore: NotRequired[int | str]
    orderBy: NotRequired[Literal["correlation", "-correlation", "pValue", "-pValue", "zScore", "-zScore", "absZScore", "-absZScore", "halfLifeHours", "-halfLifeHours", "carryApr", "-carryApr", "volume24h", "-volume24h"]]
    cointegratedFirst: NotRequired[bool]
    limit: NotRequired[int | str]
    offset: NotRequired[int | str]


@final
class GetSyncDifferencesAnswer(TypedDict):
    accounts: list[AccountDifferences]


@final
class GetFillsProvisionalsLiteAnswer(TypedDict):
    fills: list[ProvisionalFill]


@final
class GetSyncReviewsAnswer(TypedDict):
    reviews: list[FillReview]


@final
class GetPositionsUnassignedAnswer(TypedDict):
    items: list[UnassignedHolding]


@final
class PostTradeAccountsByIdPaperOutsideOrderParams(TypedDict):
    id: str


@final
class PostSyncReviewsResolveAnswer(TypedDict):
    resolved: int


@final
class PatchTradeAccountsByIdParams(TypedDict):
    id: str


@final
class PatchTradeAccountsByIdBody(TypedDict):
    alias: NotRequired[str]
    metadata: NotRequired[dict[str, Any] | None]


@final
class GetTradeAccountsByIdParams(TypedDict):
    id: str


@final
class DeleteTradeAccountsByIdParams(TypedDict):
    id: str


@final
class PostTradeAccountsBody(TypedDict):
    alias: str
    connector: str
    metadata: NotRequired[dict[str, Any] | None]
    credentials: NotRequired[VenueCredentials]
    programsReadCredentials: NotRequired[bool]


@final
class GetTradeAccountsAnswer(TypedDict):
    tradeAccounts: list[TradeAccount]


@final
class PostTradeAccountsByIdCredentialsParams(TypedDict):
    id: str


@final
class DeleteTradeAccountsByIdCredentialsParams(TypedDict):
    id: str


@final
class PutTradeAccountsByIdCredentialsParams(TypedDict):
    id: str


@final
class PostTradeAccountsByIdPaperResetParams(TypedDict):
    id: str


@final
class GetExecutionsByIdParams(TypedDict):
    id: str


@final
class GetExecutionsByIdAnswer(TypedDict):
    execution: Execution


@final
class GetExecutionsByKeyQuery(TypedDict):
    key: str
    route: NotRequired[Literal["POST /trade/open", "POST /positions/{id}/close", "POST /positions/{id}/adjust", "POST /positions/{id}/reverse", "POST /positions/{id}/rebalance"]]


@final
class GetExecutionsByKeyAnswer(TypedDict):
    execution: Execution


@final
class GetExecutionsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["ACTIVE", "COMPLETED", "CANCELLED"]]]
    includeSchedule: NotRequired[bool]
    includeTriggers: NotRequired[bool]


@final
class GetExecutionsAnswer(TypedDict):
    executions: list[Execution]
    nextCursor: NotRequired[str]


@final
class GetFillsQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    orderBy: NotRequired[Literal["timestamp", "-timestamp"]]


@final
class GetFillsAnswer(TypedDict):
    fills: list[Fill]
    nextCursor: NotRequired[str]


@final
class GetLeverageAnswer(TypedDict):
    leverage: list[LeverageSetting]


@final
class PostTriggersByIdCancelParams(TypedDict):
    id: str


@final
class PatchTriggersByIdParams(TypedDict):
    id: str


@final
class GetTriggersByIdParams(TypedDict):
    id: str


@final
class GetTriggersQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    connector: NotRequired[str]
    status: NotRequired[list[Literal["ACTIVE", "PAUSED", "TRIGGERED", "COMPLETED", "PARTIALLY_COMPLETED", "FAILED", "CANCELLED", "EXPIRED"]]]
    kind: NotRequired[Literal["OPEN", "CLOSE"]]


@final
class GetTriggersAnswer(TypedDict):
    triggers: list[Trigger]
    nextCursor: NotRequired[str]


@final
class PostTriggersByIdPauseParams(TypedDict):
    id: str


@final
class PostTriggersByIdResumeParams(TypedDict):
    id: str


@final
class GetConnectorsByIdCheckParams(TypedDict):
    id: str


@final
class PostConnectorsByIdCheckParams(TypedDict):
    id: str


@final
class PostConnectorsByIdCheckBody(TypedDict):
    tradeAccountId: NotRequired[str]
    transcript: NotRequired[bool]
    orders: NotRequired[bool]
    confirm: NotRequired[str]


@final
class DeleteConnectorsByIdWalletApprovalsByApprovalIdParams(TypedDict):
    id: str
    approvalId: str


@final
class PostConnectorsByIdWalletApprovalsByApprovalIdParams(TypedDict):
    id: str
    approvalId: str


@final
class PostConnectorsByIdWalletApprovalsByApprovalIdBody(TypedDict):
    signature: str
    alias: NotRequired[str]
    tradeAccountId: NotRequired[str]
    programsReadCredentials: NotRequired[bool]


@final
class PostConnectorsByIdWalletApprovalsParams(TypedDict):
    id: str


@final
class PostConnectorsByIdWalletApprovalsBody(TypedDict):
    address: str
    chainId: int


@final
class PatchWebhooksByIdParams(TypedDict):
    id: str


@final
class PatchWebhooksByIdBody(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    events: NotRequired[list[Literal["execution.completed", "execution.failed", "position.created", "position.updated", "position.closed", "order.updated", "trigger.created", "trigger.updated", "trigger.completed", "trigger.failed", "trigger.cancelled", "schedule.created", "schedule.updated", "schedule.completed", "schedule.failed", "schedule.cancelled", "ladder.created", "ladder.updated", "ladder.completed", "ladder.failed", "ladder.cancelled", "alert.created", "alert.updated", "alert.completed", "alert.cancelled", "approval.created", "approval.updated", "notification.created", "panic.updated", "agent.updated", "*"]]]
    tradeAccountIds: NotRequired[list[str] | None]
    enabled: NotRequired[bool]


@final
class GetWebhooksByIdParams(TypedDict):
    id: str


@final
class DeleteWebhooksByIdParams(TypedDict):
    id: str


@final
class PostWebhooksBody(TypedDict):
    name: NotRequired[str]
    url: str
    events: list[Literal["execution.completed", "execution.failed", "position.created", "position.updated", "position.closed", "order.updated", "trigger.created", "trigger.updated", "trigger.completed", "trigger.failed", "trigger.cancelled", "schedule.created", "schedule.updated", "schedule.completed", "schedule.failed", "schedule.cancelled", "ladder.created", "ladder.updated", "ladder.completed", "ladder.failed", "ladder.cancelled", "alert.created", "alert.updated", "alert.completed", "alert.cancelled", "approval.created", "approval.updated", "notification.created", "panic.updated", "agent.updated", "*"]]
    tradeAccountIds: NotRequired[list[str] | None]
    enabled: NotRequired[bool]


@final
class GetWebhooksAnswer(TypedDict):
    webhooks: list[Webhook]


@final
class GetWebhooksByIdDeliveriesParams(TypedDict):
    id: str


@final
class GetWebhooksByIdDeliveriesQuery(TypedDict):
    limit: NotRequired[int | str]
    cursor: NotRequired[str]
    status: NotRequired[list[Literal["PENDING", "RETRYING", "DELIVERED", "FAILED"]]]


@final
class GetWebhooksByIdDeliveriesAnswer(TypedDict):
    deliveries: list[Delivery]
    nextCursor: NotRequired[str]


@final
class PostWebhooksByIdDeliveriesByDeliveryIdRedeliverParams(TypedDict):
    id: str
    deliveryId: str


@final
class PostWebhooksByIdRotateSecretParams(TypedDict):
    id: str


@final
class PostWebhooksByIdRotateSecretBody(TypedDict):
    keepPreviousSeconds: NotRequired[int]


@final
class PostWebhooksByIdTestParams(TypedDict):
    id: str

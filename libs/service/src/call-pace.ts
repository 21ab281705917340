/**
 * While this many calls are young, items gather for the next call. Two keep both sides busy: one with its answers, the
 * other with the next questions.
 */
const youngCalls = 2;
/** So many items gather no longer. */
const gathered = 32;
/** A call stays young for this time, in milliseconds: a slow call must not delay the items of others. */
const youngMs = 5;

/** When calls begin that carry many items each. */
export interface CallPace {
  /** Whether a call may begin for this number of items. */
  mayCall(items: number): boolean;
  /** Notes that a call began; call the returned function when it has ended. */
  begin(): () => void;
}

/** `onRoom` is called when a further call may begin while others are still running. */
export function createCallPace(onRoom: () => void): CallPace {
  let young = 0;
  return {
    mayCall: (items) => young < youngCalls || items >= gathered,
    begin() {
      young++;
      let isYoung = true;
      const end = () => {
        clearTimeout(timer);
        if (isYoung) young--;
        isYoung = false;
      };
      const timer = setTimeout(() => {
        end();
        onRoom();
      }, youngMs);
      return end;
    },
  };
}

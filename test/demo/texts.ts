// Texts that people and programs of the demo send.

const lines = [
  "export async function settle(order: Order, payment: Payment): Promise<Receipt> {",
  "  const total = order.lines.reduce((sum, line) => sum + line.cents * line.count, 0);",
  "  if (payment.cents < total) throw new TooLittle(order.id, total - payment.cents);",
  "  return await receipts.write({ order: order.id, cents: total, at: clock.now() });",
  "}",
  "- berth 4 is closed for dredging from Monday; ferries use berth 2 until further notice",
  "- the evening sailing was full on four of five days, and late on two of them",
];
const background = Array.from({ length: 2400 }, (_, at) => lines[(at * 5) % lines.length]).join(
  "\n",
);

/** So many tokens of what stands before a question: files, instructions, earlier turns. */
export function backgroundOf(tokens: number): string {
  return background.slice(0, tokens * 4);
}

export const coding = [
  "The checkout test fails since yesterday. Use Bash on `npm test -- checkout`, then tell me why.",
  "Explain what settle() does when the payment is too small, and add the missing test.",
  "Use Read on `src/orders/receipt.ts` and propose a smaller function.",
  "Rename Receipt to Invoice everywhere it is shown to customers.",
  "Why is the ferry timetable query slow? Suggest an index and show the plan before and after.",
  "Write the migration that adds a column for the berth, and its rollback.",
];

export const questions = [
  "When does the next ferry leave for the island, and can I bring a bicycle?",
  "My ticket was charged twice. What do I have to send you for a refund?",
  "Is there a discount for groups of twelve on weekdays?",
  "The booking page says that berth 4 is closed. Does my sailing still leave?",
  "Can I change the name on a ticket that was a present?",
];

export const chineseQuestions = [
  "请问明天早上第一班渡轮几点开？可以带自行车吗？",
  "我的订单被重复扣款了，怎样申请退款？",
  "船票可以改签到下周三吗，需要补多少差价？",
  "十二个人的团体票有优惠吗？",
];

export const letters = [
  "Translate for a customer in Odesa: Дякуємо за лист, ми повернемо кошти протягом п'яти днів.",
  "Answer politely that the lost umbrella was found and waits at pier 2.",
  "お客様への返信を丁寧に書いてください：荷物は明日届きます。",
  "Make this announcement half as long and keep the times.",
  "Переведите на английский: причал номер четыре закрыт до конца месяца.",
];

export const notes = [
  "次の議事録を三つの要点にまとめてください。担当者と期限も書いてください。",
  "Summarise the minutes in three points with who does what until when.",
];

export const reports = [
  "Summarise yesterday's bookings by route, with the three largest changes to the week before.",
  "List the sailings that were late, group them by cause, and draft the line for the morning mail.",
];

export const pictures = [
  "A quiet harbour at dawn, watercolour, two ferries at the pier",
  "港口清晨的水彩画，两艘渡轮停在码头",
  "夜の港、灯りが水面に映る、版画風",
  "Poster for the winter timetable: a lighthouse in falling snow, flat colours",
  "Иллюстрация: маяк на скале, вид с моря, тёплый свет",
  "Three icons for luggage, bicycles and dogs, one line weight",
];

export const films = [
  "Slow aerial shot of a ferry leaving the harbour at sunrise, soft light",
  "雨の港、傘をさした人々が船に乗る、静かなカメラ",
  "一艘白色渡轮驶过灯塔，镜头缓慢推进",
  "Close view of a rope being thrown to the pier, shallow depth of field",
  "Паром входит в порт зимним вечером, огни города вдали",
];

"""How servers say that a request is longer than the model can read (CMP-9): codes, words in several languages, stop reasons.

Pure. What matches no line of the table is judged by its size (``turn/overflow.py``). The patterns are made when the first
error comes: they take milliseconds that a start does not have.
"""

from __future__ import annotations

import re
from functools import cache

NEVER = frozenset({401, 402, 403, 404, 429})  # keys, money and rates have their own sentences
UNSAID = frozenset({400, 413, 422, 500})  # with one of these a server may mean it without saying so
LEAST_LIMIT, MOST_LIMIT = 256, 100_000_000  # a number outside is no window
STOP_REASONS = frozenset({"model_context_window_exceeded", "context_length_exceeded", "context_window_exceeded", "model_length"})


@cache
def _codes() -> re.Pattern[str]:
    return re.compile(
        r"(?i)context_length_exceeded|exceed_context_size_error|context_window_exceeded|context_window_overflow\w*"
        r"|prompt_too_long|input_too_long|request_too_large|max_prompt_tokens_exceeded"
    )


_LENGTH = r"(?:length|window|size|limit|budget)"
_OVER = r"(?:exceed\w*|overflow\w*|too long|too large|too big|too many|longer than|larger than|greater than|over the|beyond|past)"
_READ = r"(?:prompt|input|inputs|context|messages?|conversation|request)"


@cache
def _words() -> re.Pattern[str]:
    return re.compile(
        "(?is)"
        + "|".join(
            (
                # English: OpenAI, DeepSeek, Anthropic, Google, Mistral, xAI, Groq, Bedrock, vLLM, SGLang, TGI, llama.cpp, Ollama …
                rf"{_OVER}.{{0,60}}?\b(?:context|prompt) {_LENGTH}\b",
                rf"\b(?:context|prompt|sequence) {_LENGTH}\b.{{0,40}}?{_OVER}",
                r"\bmaximum (?:context|prompt|model|sequence|input) length\b",
                r"\b(?:model|context)'?s? token limit\b",
                rf"\b{_READ}\b.{{0,20}}?(?:is|are|was)? ?too (?:long|large)\b(?! for (?:the )?(?:field|name|key|header))",
                rf"\b(?:{_READ}|token) (?:token )?count\b.{{0,40}}?exceed",
                rf"\b{_READ}\b[^.]{{0,40}}?exceed\w*[^.]{{0,60}}?\b(?:token|tokens|context)\b",
                r"\bexceed\w* (?:the |model'?s? )?(?:max\w* |input |context |configured )*(?:token|tokens|message tokens)\b(?! per)",
                r"\btoo many (?:input |prompt )?tokens\b(?! per)",
                r"\breduce the length of (?:the|your) (?:messages|prompt|input)",
                r"\brange of input length should be\b",
                r"\btokens to keep from the initial prompt\b|\bcontext the overflows\b|\bcontext shift is disabled\b",
                r"\bmax_new_tokens`? must be <=",
                r"\bn_ctx\b.{0,40}?exceed|exceed.{0,60}?\bn_ctx\b",
                # Chinese, Japanese, Korean
                r"(?:上下文|輸入|输入|提示词|提示詞|请求|請求|消息|对话|內容|内容|prompt|token)[^。]{0,24}?"
                r"(?:超过|超過|超出|超限|超长|超長|过长|過長|太长|太長|溢出)",
                r"(?:超过|超過|超出)[^。]{0,16}?(?:上下文|最大长度|最大長度|最大输入|token)",
                r"(?:コンテキスト|入力|プロンプト|トークン)[^。]{0,24}?(?:超え|超過|上回|長すぎ)",
                r"(?:컨텍스트|입력|프롬프트|토큰)[^.]{0,24}?(?:초과|너무 깁|너무 길)",
                # Vietnamese, Russian, German, French, Spanish, Portuguese, Italian
                r"(?:vượt quá|dài hơn)[^.]{0,30}?(?:ngữ cảnh|token)|(?:ngữ cảnh|đầu vào|token)[^.]{0,30}?(?:vượt quá|quá dài)",
                r"(?:превыш\w+|длиннее)[^.]{0,40}?(?:контекст\w*|токен\w*)"
                r"|(?:контекст\w*|токен\w*|запрос)[^.]{0,30}?(?:превыш\w+|слишком длин\w+)",
                r"(?:kontext\w*|eingabe|prompt)[^.]{0,40}?(?:überschr\w+|zu lang)|überschr\w+[^.]{0,40}?(?:kontext|token)",
                r"(?:dépass\w+|excède\w*)[^.]{0,40}?(?:contexte|jetons|tokens)"
                r"|(?:contexte|requête|entrée)[^.]{0,30}?(?:dépass\w+|trop long\w*)",
                r"(?:excede\w*|supera\w*|ultrapass\w+)[^.]{0,40}?(?:contexto|contesto|tokens?)"
                r"|(?:contexto|contesto|entrada)[^.]{0,30}?(?:exced\w+|superad\w+|demasiado larg\w+|muito long\w+|troppo lung\w+)",
            )
        )
    )


@cache
def _other() -> re.Pattern[str]:
    return re.compile(
        # limits of rates, of money, of the answer alone and of single fields are no window
        r"(?is)\btokens? per (?:minute|min|day|hour)\b|\bTP[MD]\b|\brate.?limit|\bquota\b|\bcredits?\b|\btoo many requests\b"
        r"|\bmax_(?:completion_|output_)?tokens`? (?:is too large|must be|should be|cannot)"
        r"|\brange of max_tokens\b|\bcompletion tokens, whereas\b"
        r"|\btool_calls?\[|\bfunction\.name\b|\btoo many (?:tools|images|functions)\b|请求过于频繁|余额|速率"
    )


_NUMBER = r"(\d[\d,]*)(?![\d,]*\s*\+)"


@cache
def _limits() -> re.Pattern[str]:
    return re.compile(
        "(?is)"
        + "|".join(
            (
                rf"\bmaximum (?:context|prompt|model|sequence|input) length (?:is|of|=)? ?{_NUMBER}",
                rf"\bmaximum number of tokens allowed \(?{_NUMBER}",
                rf"(?:\d|tokens) >\s*{_NUMBER}",
                rf"\"n_ctx\"\s*:\s*{_NUMBER}",
                rf"\blength should be \[\d+,\s*{_NUMBER}\]",
                rf"\btoken limit:? {_NUMBER}",
                rf"\b(?:context|prompt) (?:length|window|size|limit)(?: of| is|:)?(?: only)? \(?{_NUMBER}",
                rf"\blimit of {_NUMBER}",
                rf"\bwith {_NUMBER} maximum context",
                rf"must be <= {_NUMBER}",
            )
        )
    )


def is_too_long(status: int | None, said: str) -> bool:
    """Whether an error says that the request does not fit the model's window. ``said``: its message and its codes."""
    if status in NEVER:
        return False
    if _codes().search(said):
        return True
    return _other().search(said) is None and (_words().search(said) is not None or status == 413)


def limit_in(said: str) -> int | None:
    """The window in tokens that an error names, if it does."""
    for found in _limits().finditer(said):
        number = int(next(group for group in found.groups() if group).replace(",", ""))
        if LEAST_LIMIT <= number <= MOST_LIMIT:
            return number
    return None

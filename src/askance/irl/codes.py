"""The codes of all that can be wrong with a query. A code keeps its meaning for good."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """What is wrong. `meaning` says it in one line."""

    UNEXPECTED_CHARACTER = "IRL001"
    UNTERMINATED_TEXT = "IRL002"
    UNCLOSED = "IRL003"
    STRAY_PARENTHESIS = "IRL004"
    EMPTY_QUERY = "IRL005"
    NOT_ONE_QUERY = "IRL006"
    UNKNOWN_OPERATOR = "IRL007"
    ARITY = "IRL008"
    ARGUMENT = "IRL009"
    UNKNOWN_OPTION = "IRL010"
    REPEATED_OPTION = "IRL011"
    KNN_COUNT = "IRL012"
    NUMBER = "IRL013"
    TOO_DEEP = "IRL014"
    TOO_LONG = "IRL015"
    BAD_ESCAPE = "IRL016"
    OPTION_WITHOUT_EFFECT = "IRL017"
    OPTION_WITHOUT_VALUE = "IRL018"
    UNKNOWN_CHOICE = "IRL019"
    WEIGHTS = "IRL020"
    UNKNOWN_FIELD = "IRL021"
    UNKNOWN_KEY = "IRL022"
    NO_VECTORS = "IRL023"
    NO_ITEMS = "IRL024"
    NO_RELATIONS = "IRL025"
    KNN_EXCLUDED = "IRL026"
    FUSION_PLACE = "IRL027"
    EXACT_FIELD = "IRL028"
    UNSUPPORTED = "IRL029"

    @property
    def meaning(self) -> str:
        return MEANINGS[self]


MEANINGS = {
    Code.UNEXPECTED_CHARACTER: "a character that belongs to no text, number, word, option or parenthesis",
    Code.UNTERMINATED_TEXT: "a text that is opened and never closed",
    Code.UNCLOSED: "a parenthesis that is opened and never closed",
    Code.STRAY_PARENTHESIS: "a closing parenthesis that closes nothing",
    Code.EMPTY_QUERY: "nothing to search for",
    Code.NOT_ONE_QUERY: "not one clause at the top, but several, or something that is no clause",
    Code.UNKNOWN_OPERATOR: "no such operator, or none at all",
    Code.ARITY: "too many or too few arguments",
    Code.ARGUMENT: "an argument of the wrong kind",
    Code.UNKNOWN_OPTION: "the clause has no such option, or no such key in JSON",
    Code.REPEATED_OPTION: "an option that is given twice",
    Code.KNN_COUNT: "a rewritten question must have exactly one knn clause",
    Code.NUMBER: "a number that is none, or out of its range",
    Code.TOO_DEEP: "clauses too deep inside one another",
    Code.TOO_LONG: "a query that is too long",
    Code.BAD_ESCAPE: "an escape that stands for no character, or half a character (a lone surrogate)",
    Code.OPTION_WITHOUT_EFFECT: "an option that changes nothing beside the others",
    Code.OPTION_WITHOUT_VALUE: "an option with no value after it",
    Code.UNKNOWN_CHOICE: "a value that is none of those to choose from",
    Code.WEIGHTS: "not one weight for each fused part, or no weight above 0",
    Code.UNKNOWN_FIELD: "the index has no such field",
    Code.UNKNOWN_KEY: "the index's documents have no such metadata",
    Code.NO_VECTORS: "knn in an index without vectors",
    Code.NO_ITEMS: "exact in an index without items",
    Code.NO_RELATIONS: "a relation in an index that keeps none",
    Code.KNN_EXCLUDED: "knn inside not",
    Code.FUSION_PLACE: "a fusion inside a clause that has no ranked lists",
    Code.EXACT_FIELD: "exact in a field that holds no items",
    Code.UNSUPPORTED: "this engine cannot run the clause",
}

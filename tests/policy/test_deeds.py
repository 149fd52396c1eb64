"""A model that claims to have changed memory is not believed, in whichever language."""

from __future__ import annotations

import pytest

from langgraph_memory.policy.claims.deeds import claimed_deeds

CLAIMED = [
    ("Please lose the code.", "Deleted."),
    ("Please lose the code.", "The code is gone from my memory."),
    ("Please lose the code.", "All set, that memory has been erased."),
    ("Please lose the code.", "Done, it's gone."),
    ("Please lose the code.", "Consider it forgotten."),
    ("Please lose the code.", "Okay, I no longer know the code."),
    ("Please lose the code.", "The code has been wiped."),
    ("Please lose the code.", "Done."),
    ("Please lose the code.", "It has been cleared from my records."),
    ("My shoe size is 43, jot that down", "I've jotted that down."),
    ("My shoe size is 43, jot that down", "Noted and saved."),
    ("My shoe size is 43, jot that down", "Your shoe size is now on file."),
    ("My shoe size is 43, jot that down", "It's stored."),
    ("My shoe size is 43, jot that down", "Memory updated."),
    ("My shoe size is 43, jot that down", "Saved!"),
    ("My shoe size is 43, jot that down", "All saved for later."),
    ("Oublie le code.", "Le code a été supprimé."),
    ("Oublie le code.", "J'ai oublié le code."),
    ("Oublie le code.", "C'est fait."),
    ("Oublie le code.", "Je l'ai effacé."),
    ("Vergiss den Code.", "Der Code wurde gelöscht."),
    ("Vergiss den Code.", "Ich habe den Code gelöscht."),
    ("Vergiss den Code.", "Erledigt."),
    ("Vergiss den Code.", "Ich habe ihn vergessen."),
    ("Merk dir meine Schuhgröße 43", "Gemerkt!"),
    ("Olvida el código.", "He olvidado el código."),
    ("Olvida el código.", "Código eliminado."),
    ("Borra el código.", "Listo, borrado."),
    ("Olvida el código.", "Hecho."),
    ("Ricorda che il mio numero è 43.", "Ho memorizzato."),
    ("Dimentica il codice.", "Il codice è stato cancellato."),
    ("Esqueça o código.", "Apaguei o código."),
    ("Vergeet de code.", "Ik heb de code verwijderd."),
    ("Zapomnij kod.", "Usunąłem kod."),
    ("Забудь код.", "Я удалил код."),
    ("Забудь код.", "Удалено."),
    ("Kodu unut.", "Kodu sildim."),
    ("انس الرمز", "لقد حذفت الرمز."),
    ("कोड भूल जाओ", "मैंने कोड हटा दिया है।"),
    ("忘掉密码", "密码已删除。"),
    ("忘掉密码", "好的，删掉了。"),
    ("コードを忘れて", "コードを削除しました。"),
    ("코드를 잊어줘", "코드를 삭제했습니다."),
    ("My size is 43", "Got it, I have stored your shoe size."),
    ("My size is 43", "Okay, I'll remember that."),
]
NOT_CLAIMED = [
    ("How do I delete a file in Linux?", "Use rm. Once deleted, it is gone."),
    ("The launch is on Monday", "Noted."),
    ("What happened to the file?", "It was deleted."),
    ("Where is the code kept?", "I don't know; nothing is stored about that."),
    ("Please lose the code.", "I cannot delete it; ask memory to forget it."),
    ("Please lose the code.", "Nothing was deleted."),
    ("Who updated the plan?", "Lina updated the plan."),
    ("Write a haiku about loss", "The petals have gone. Rain keeps what the wind forgot."),
    ("What is the past tense of save?", "Saved."),
    ("When is the launch?", "The launch is on Friday, as noted in my records [m1]."),
    ("When is the launch?", "Memory has Friday [m1]; you updated it on Monday."),
    ("Wann ist der Start?", "Am Freitag [m1]."),
    ("Où est le code ?", "Je ne sais pas, je n'ai rien noté."),
    ("I lost my keys", "Oh no, where did you last see them?"),
    ("Summarise: the server was updated.", "The server was updated."),
    ("Hi", "Hello! How can I help?"),
    ("I got a new job", "Congratulations!"),
    ("Write an email to Bob", "Hi Bob, I have updated the plan."),
    ("Translate 'done' to German", "Erledigt heißt das."),
    ("¿Cuándo es?", "El viernes [m1]."),
    ("Forget the code, please", "I have not deleted anything yet. Say “Forget the code”."),
    ("Store hours?", "The store opens at 9."),
]


@pytest.mark.parametrize(("message", "answer"), CLAIMED)
def test_a_claim_of_a_deed_is_seen(message: str, answer: str) -> None:
    """R44: memory alone tells what memory did."""
    assert claimed_deeds(answer, message)


@pytest.mark.parametrize(("message", "answer"), NOT_CLAIMED)
def test_other_deeds_and_other_talk_are_left_alone(message: str, answer: str) -> None:
    assert claimed_deeds(answer, message) == []

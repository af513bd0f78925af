namespace Tarn.Torture.Composed;

/// <summary>
/// One step of a composed program. Owners are named by their numbers, and a step on an owner that is not there does nothing, so a program
/// from which steps were removed is a program.
/// </summary>
/// <param name="Act">What the step does.</param>
/// <param name="Owner">The number of the owner.</param>
/// <param name="Choice">Which kind of owner, call or ending; of a table, modulo its length.</param>
/// <param name="Number">A length, or what else the call needs.</param>
/// <param name="Other">The number of a second owner: the one that is handed over, or that comes into being.</param>
internal readonly record struct Step(Act Act, int Owner, int Choice, int Number, int Other);

namespace Tarn.Tests.Schedules.Checking;

/// <summary>One thing that can happen next.</summary>
/// <param name="Thread">The thread that does it.</param>
/// <param name="Index">Which of its begun steps takes effect.</param>
/// <param name="Guess">Not null: the step is a branch, and nothing takes effect but that it is guessed to go this way.</param>
internal readonly record struct Move(int Thread, int Index, bool? Guess = null);

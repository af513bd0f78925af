namespace Tarn.Tests.Schedules.Checking;

/// <summary>What a load or a store of a modelled thread orders.</summary>
internal enum StepOrder
{
    /// <summary>A plain access: nothing.</summary>
    Plain,

    /// <summary><c>Volatile.Read</c>: what follows it in the program comes after it.</summary>
    Acquire,

    /// <summary><c>Volatile.Write</c>: what precedes it in the program comes before it.</summary>
    Release,
}

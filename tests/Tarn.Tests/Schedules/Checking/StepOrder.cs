namespace Tarn.Tests.Schedules.Checking;

/// <summary>The ordering of a load or a store of a modelled thread.</summary>
internal enum StepOrder
{
    /// <summary>A plain access: nothing.</summary>
    Plain,

    /// <summary><c>Volatile.Read</c>: later steps of the program take effect after it.</summary>
    Acquire,

    /// <summary><c>Volatile.Write</c>: earlier steps of the program take effect before it.</summary>
    Release,
}

namespace Tarn.Tests.Schedules.Checking;

/// <summary>Which steps of a thread may take effect before earlier ones.</summary>
public enum MemoryModel
{
    /// <summary>None: threads take turns.</summary>
    Sequential,

    /// <summary>x64: a load before earlier stores, which wait in the store buffer; it sees those of its own thread.</summary>
    StoreBuffers,

    /// <summary>
    /// Arm64: any plain access before any other of another location, loads also before the branches that lead to them are decided.
    /// </summary>
    Weak,
}

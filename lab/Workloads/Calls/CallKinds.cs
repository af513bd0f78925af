namespace Tarn.Lab.Workloads.Calls;

/// <summary>The report's names of the kinds of call that are timed one by one.</summary>
internal static class CallKinds
{
    public const string None = "No call";
    public const string Rent = "Rent";
    public const string Return = "Return";
    public const string Allocate = "Allocate";
    public const string Free = "Free";
    public const string Stream = "Stream";
    public const string Message = "Message";

    /// <summary>All but none.</summary>
    public static IReadOnlyList<string> All { get; } = [Rent, Return, Allocate, Free, Stream, Message];
}

using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>A test of the long form: it takes seconds each time, as the start of an SDK does.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LongFactAttribute : FactAttribute
{
    internal const string Reason = $"The test takes seconds: {StressLength.LongVariable} asks for it.";

    public LongFactAttribute() => Skip = StressLength.IsLong ? null : Reason;
}

using Tarn.Tests.Support;

namespace Tarn.Analyzers.Tests.Support;

/// <summary>As <see cref="LongFactAttribute"/>, for tests with data.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class LongTheoryAttribute : TheoryAttribute
{
    public LongTheoryAttribute() => Skip = StressLength.IsLong ? null : LongFactAttribute.Reason;
}

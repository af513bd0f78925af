using Tarn.Tool.Allocations;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Allocations;

/// <summary>Why an array is allocated, by the methods of the platform that are innermost on a stack.</summary>
public class StackMeansTests
{
    [Theory]
    [InlineData(nameof(AllocationMeans.NewArray))]
    [InlineData(nameof(AllocationMeans.NewArray), "System.GC.AllocateUninitializedArray<byte>")]
    [InlineData(nameof(AllocationMeans.NewArray), "System.Array.Resize<byte>")]
    [InlineData(nameof(AllocationMeans.MemoryStreamGrowth), "System.IO.MemoryStream.Capacity.set", "System.IO.MemoryStream.Write")]
    [InlineData(nameof(AllocationMeans.MemoryStreamGrowth), "new System.IO.MemoryStream")]
    [InlineData(nameof(AllocationMeans.MemoryStreamGrowth), "System.IO.MemoryStream.EnsureCapacity",
        "System.Text.Json.JsonSerializer.Serialize")]
    [InlineData(nameof(AllocationMeans.Copy), "System.GC.AllocateUninitializedArray<byte>", "System.IO.MemoryStream.ToArray")]
    [InlineData(nameof(AllocationMeans.Copy), "System.Linq.Enumerable.ToArray<class>")]
    [InlineData(nameof(AllocationMeans.Copy), "System.ReadOnlySpan<byte>.ToArray", "System.Something.Else")]
    [InlineData(nameof(AllocationMeans.StringBuilderGrowth), "System.Text.StringBuilder.ExpandByABlock",
        "System.Text.StringBuilder.Append")]
    [InlineData(nameof(AllocationMeans.CollectionGrowth), "System.Collections.Generic.List<long>.Grow",
        "System.Collections.Generic.List<long>.Add")]
    [InlineData(nameof(AllocationMeans.CollectionGrowth), "new System.Collections.Generic.List<long>")]
    [InlineData(nameof(AllocationMeans.WriterGrowth), "System.Array.Resize<byte>",
        "System.Buffers.ArrayBufferWriter<byte>.CheckAndResizeBuffer")]
    [InlineData(nameof(AllocationMeans.Encoding), "System.Text.UTF8Encoding.UTF8EncodingSealed.GetBytes")]
    [InlineData(nameof(AllocationMeans.ReadWhole), "System.IO.File.ReadAllBytes")]
    [InlineData(nameof(AllocationMeans.PoolMiss), "System.Buffers.SharedArrayPool<byte>.Rent", "System.IO.Stream.CopyTo")]
    [InlineData(nameof(AllocationMeans.Platform), "System.Net.Http.Headers.HeaderStore.Grow")]
    public void The_means_is_that_of_the_innermost_method_that_tells(string means, params string[] platform)
    {
        (AllocationMeans found, StackFrame caller) = Find([.. platform, "Shop.Orders.Export", "System.Threading.Thread.Start"]);

        Assert.Equal(means, found.ToString());
        Assert.Equal("Shop.Orders.Export", caller.Method);
    }

    [Fact]
    public void A_stack_without_the_program_is_the_platforms_own()
    {
        (AllocationMeans found, StackFrame caller) = Find(["System.Threading.Timer.Fire", "System.Threading.Thread.Start"]);

        Assert.Equal(AllocationMeans.Platform, found);
        Assert.Equal("System.Threading.Timer.Fire", caller.Method);
    }

    private static (AllocationMeans, StackFrame) Find(string[] methods)
    {
        StackFrame[] frames = [.. methods.Select(method => new StackFrame(method, ModuleOf(method)))];
        StackNode[] nodes = [.. Enumerable.Range(0, frames.Length).Select(at => new StackNode(at, frames.Length - 1 - at))];
        var stacks = new StackTable(frames, nodes);
        (AllocationMeans means, int caller) = StackMeans.Of(stacks, nodes.Length);
        return (means, stacks.Walk(caller).First());
    }

    private static string ModuleOf(string method) =>
        method.StartsWith("Shop.", StringComparison.Ordinal) ? "Shop" : "System.Private.CoreLib";
}

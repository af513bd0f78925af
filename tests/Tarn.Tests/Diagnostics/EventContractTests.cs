using System.Diagnostics.Tracing;
using System.Xml.Linq;

namespace Tarn.Tests.Diagnostics;

/// <summary>Tools and habits carry over from the BCL's pools: the events are described alike.</summary>
public class EventContractTests
{
    private static readonly XNamespace s_schema = "http://schemas.microsoft.com/win/2004/08/events";

    private static readonly Type s_theirs = typeof(object).Assembly.GetType("System.Buffers.ArrayPoolEventSource", throwOnError: true)!;

    [Fact]
    public void The_source_is_called_Tarn()
    {
        Assert.Equal("Tarn", BufferDiagnostics.EventSourceName);
        Assert.Equal("Tarn", TarnEventSource.Log!.Name);
        Assert.Null(TarnEventSource.Log!.ConstructionException);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Each_event_has_the_name_level_and_payload_of_the_BCLs(int id)
    {
        string theirs = Describe(s_theirs, id);

        Assert.StartsWith("Buffer", theirs, StringComparison.Ordinal);
        Assert.Equal(theirs, Describe(typeof(TarnEventSource), id));
    }

    [Theory]
    [InlineData("BufferAllocatedReason", typeof(TarnEventSource.AllocationReason))]
    [InlineData("BufferDroppedReason", typeof(TarnEventSource.DropReason))]
    public void Reasons_have_the_values_of_the_BCLs(string theirs, Type ours)
    {
        Type known = s_theirs.GetNestedType(theirs, System.Reflection.BindingFlags.NonPublic | System.Reflection.BindingFlags.Public)!;

        Assert.Equal(Values(known), Values(ours));
    }

    [Fact]
    public void A_difference_in_the_description_would_be_seen()
    {
        Assert.NotEqual(Describe(s_theirs, 4), Describe(typeof(TarnEventSource), 5));
        Assert.Equal(
            "BufferReturned Verbose: bufferId win:Int32, bufferSize win:Int32, poolId win:Int32", Describe(typeof(TarnEventSource), 3));
    }

    private static IEnumerable<string> Values(Type type) =>
        Enum.GetValuesAsUnderlyingType(type).Cast<int>().Select(value => $"{value} {Enum.GetName(type, value)}");

    /// <summary>Name, level, and the payload's names and types in their order.</summary>
    private static string Describe(Type source, int id)
    {
        XDocument manifest = XDocument.Parse(EventSource.GenerateManifest(source, null)!);
        XElement described = manifest.Descendants(s_schema + "event").Single(one => (string?)one.Attribute("value") == $"{id}");
        XElement template = manifest.Descendants(s_schema + "template")
            .Single(one => (string?)one.Attribute("tid") == (string?)described.Attribute("template"));
        string level = ((string)described.Attribute("level")!).Replace("win:", "", StringComparison.Ordinal);
        IEnumerable<string> payload =
            template.Elements(s_schema + "data").Select(data => $"{(string?)data.Attribute("name")} {(string?)data.Attribute("inType")}");
        return $"{(string?)described.Attribute("symbol")} {level}: {string.Join(", ", payload)}";
    }
}

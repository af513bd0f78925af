using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.Json.Schema;
using Tarn.Tool.Allocations;
using Tarn.Tool.Memory;
using Tarn.Tool.Reports;
using Tarn.Tool.Rings;
using Tarn.Tool.Tests.Recording;

namespace Tarn.Tool.Tests.Reports;

/// <summary>The schemas of what commands write, in docs/schemas. They come from the types that are written, so every output fits.</summary>
public class JsonSchemaTests
{
    private const string WriteVariable = "TARN_WRITE_PICTURES";

    [Theory]
    [InlineData("tarn-memory.schema.json", typeof(MemorySnapshot))]
    [InlineData("tarn-candidates.schema.json", typeof(CandidateReport))]
    [InlineData("tarn-rings.schema.json", typeof(RingsSnapshot))]
    public void Each_schema_is_that_of_what_is_written(string name, Type type)
    {
        JsonSerializerOptions contract = new(JsonText.Contract);
        contract.MakeReadOnly(populateMissingResolver: true);
        JsonNode schema = contract.GetJsonSchemaAsNode(type, new JsonSchemaExporterOptions { TreatNullObliviousAsNonNullable = true });
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
        string text = schema.ToJsonString(new JsonSerializerOptions { WriteIndented = true }).ReplaceLineEndings("\n") + "\n";

        string path = Path.Combine(Child.Root, "docs", "schemas", name);
        if (Environment.GetEnvironmentVariable(WriteVariable) is not null)
        {
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllText(path, text);
        }

        Assert.True(File.Exists(path), $"{path} is missing: run these tests with {WriteVariable}=1.");
        Assert.Equal(text, File.ReadAllText(path).ReplaceLineEndings("\n"));
    }

    [Fact]
    public void What_a_schema_does_not_name_is_not_read()
    {
        JsonNode snapshot = JsonNode.Parse(MemoryJson.Write(Memory.SampleSnapshot.Build()))!;
        Assert.NotNull(JsonText.Read<MemorySnapshot>(snapshot.ToJsonString()));

        snapshot["more"] = 1;
        Assert.Throws<JsonException>(() => JsonText.Read<MemorySnapshot>(snapshot.ToJsonString()));
        Assert.True(snapshot.AsObject().Remove("more") && snapshot.AsObject().Remove("groups"));
        Assert.Throws<JsonException>(() => JsonText.Read<MemorySnapshot>(snapshot.ToJsonString()));
    }
}

namespace Tarn.Analyzers.Tests.Install;

/// <summary>Tests that pack or install, one after the other: they pack once, and no two of them pack one project at a time.</summary>
[CollectionDefinition(nameof(PackedFeed))]
public sealed class OnePackedFeed : ICollectionFixture<PackedFeed>;
